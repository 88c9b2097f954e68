// Switches between dark and light, and shows which is on. Both signs are in the page; the
// stylesheet chooses (no flash).
import { setTheme, theme, useTheme } from './theme.ts';
import { Icon } from './Icon.tsx';

export function ThemeToggle() {
  const now = useTheme();
  return (
    <button
      type="button"
      className="btn btn-ghost btn-circle"
      aria-label="Dark theme"
      aria-pressed={now === 'dark'}
      onClick={() => setTheme(theme() === 'dark' ? 'light' : 'dark')}
    >
      <Icon name="moon" className="when-light size-5" />
      <Icon name="sun" className="when-dark size-5" />
    </button>
  );
}
