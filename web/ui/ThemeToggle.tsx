// Switches between dark and light, and shows which is on. Both signs are in the page; the
// stylesheet chooses (no flash).
import { setTheme, theme, useTheme } from './theme.ts';

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
      <svg
        viewBox="0 0 24 24"
        className="when-light size-5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        strokeLinejoin="round"
        aria-hidden="true"
      >
        <path d="M20 14.5A8.5 8.5 0 1 1 9.5 4a7 7 0 0 0 10.500 10.500z" />
      </svg>
      <svg
        viewBox="0 0 24 24"
        className="when-dark size-5"
        fill="none"
        stroke="currentColor"
        strokeWidth="2"
        strokeLinecap="round"
        aria-hidden="true"
      >
        <circle cx="12" cy="12" r="4" />
        <path d="M12 2v2M12 20v2M2 12h2M20 12h2M4.900 4.900l1.400 1.400M17.700 17.700l1.400 1.400M4.900 19.100l1.400-1.400M17.700 6.300l1.400-1.400" />
      </svg>
    </button>
  );
}
