// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../testing/screen.tsx';
import { ThemeToggle } from './ThemeToggle.tsx';

it('switches the theme, and remembers it', () => {
  show(<ThemeToggle />);
  const toggle = screen.getByRole('button', { name: 'Dark theme' });
  for (const theme of ['dark', 'light']) {
    fireEvent.click(toggle);
    expect(document.documentElement.dataset['theme']).toBe(theme);
    expect(localStorage.getItem('theme')).toBe(theme);
    expect(toggle.getAttribute('aria-pressed')).toBe(String(theme === 'dark'));
  }
});
