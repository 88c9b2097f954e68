// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import type { ReactElement } from 'react';
import { Route, Routes } from 'react-router';
import { expect, it, vi } from 'vitest';
import { originOf } from '../people/session/origin.ts';
import { SessionContext } from '../people/session/SessionProvider.tsx';
import { show } from '../testing/screen.tsx';
import { DashboardStart, RequireRole, RequireSignedIn } from './guards.tsx';

/** The page is at its address alone, as in the app. */
const guarded = (page: ReactElement, path = '/dashboard/*') => (
  <Routes>
    <Route path={path} element={page} />
    <Route path="*" element={null} />
  </Routes>
);
const at = { pathname: '/dashboard/payments', search: '?q=tennis', state: null };

it('a deep link leads a visitor through the login and back', () => {
  const { where, carried } = show(guarded(<RequireSignedIn>Secret</RequireSignedIn>), {
    role: null,
    at,
  });
  expect(where()).toBe('/login');
  expect(originOf(carried())).toBe('/dashboard/payments?q=tennis');
  expect(screen.queryByText('Secret')).toBeNull();
});

it('an instructor at the address of an admin lands on Home', () => {
  const { where } = show(guarded(<RequireRole of="admin">Secret</RequireRole>), {
    role: 'instructor',
    at,
  });
  expect(where()).toBe('/');
  expect(screen.queryByText('Secret')).toBeNull();
});

it.each([
  ['admin', '/dashboard/manageusers'],
  ['instructor', '/dashboard/myclasses'],
  ['student', '/dashboard/mycart'],
] as const)('/dashboard leads the %s to %s', (role, first) => {
  const page = guarded(<DashboardStart />, '/dashboard');
  expect(show(page, { role, at: '/dashboard' }).where()).toBe(first);
});

it('who cannot be known stays, and may try again', () => {
  const retryRole = vi.fn<() => void>();
  const session = { state: 'in' as const, user: null, role: null, roleLoading: false, retryRole };
  const { where } = show(
    <SessionContext value={session}>
      <RequireSignedIn>Secret</RequireSignedIn>
    </SessionContext>,
    { at },
  );
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(retryRole).toHaveBeenCalledOnce();
  expect(where()).toBe('/dashboard/payments?q=tennis');
});
