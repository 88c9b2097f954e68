// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { Link } from 'react-router';
import { expect, it, vi } from 'vitest';
import { listParticipants } from '../../contract/people/family.ts';
import { studentFigures } from '../../contract/academy/figures.ts';
import { paths } from '../platform/paths.ts';
import { SessionContext } from '../people/session/SessionProvider.tsx';
import { answers, show } from '../testing/screen.tsx';
import { DashboardLayout } from './DashboardLayout.tsx';

const list = paths.dashboard.myEnrolledClasses;
const replies = [
  answers(studentFigures, { cart: 0, enrolled: 0, paid: 0, payments: 0 }),
  answers(listParticipants, []),
];
const noAnswer = () => screen.queryByRole('heading', { name: 'No answer' });
const box = () => screen.getByRole('searchbox');

it('a search that is still due does not lead back', () => {
  vi.useFakeTimers();
  try {
    const { where } = show(
      <>
        <Link to={list}>List</Link>
        <DashboardLayout />
      </>,
      {
        replies,
      },
    );
    fireEvent.click(screen.getByRole('link', { name: 'List' }));
    fireEvent.change(box(), { target: { value: 'tennis' } });
    act(() => void vi.advanceTimersByTime(1_000));
    expect(where()).toBe(`${list}?q=tennis`);
    fireEvent.change(box(), { target: { value: 'golf' } });
    fireEvent.click(screen.getByRole('link', { name: 'My Cart' }));
    act(() => void vi.advanceTimersByTime(1_000));
    expect(where()).toBe(paths.dashboard.myCart);
  } finally {
    vi.useRealTimers();
  }
});

it('says that the server does not answer, and asks again', () => {
  const retryRole = vi.fn<() => void>();
  const session = { state: 'loading', user: null, role: null, roleLoading: false } as const;
  const layout = (
    <SessionContext value={{ ...session, retryRole }}>
      <DashboardLayout />
    </SessionContext>
  );
  show(layout, { at: paths.dashboard.myCart });
  expect(noAnswer()).not.toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  expect(retryRole).toHaveBeenCalledOnce();
  cleanup();
  show(layout, { at: paths.dashboard.rollCall });
  expect(noAnswer()).toBeNull();
});
