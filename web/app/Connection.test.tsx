// @vitest-environment happy-dom
import { onlineManager, useQuery } from '@tanstack/react-query';
import { act, cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { paths } from '../platform/paths.ts';
import { show } from '../testing/screen.tsx';
import { Connection } from './Connection.tsx';

const note = () => screen.queryByText(/^No connection/);
afterEach(() => act(() => onlineManager.setOnline(true)));

it('says that there is no connection, but not on the roll call', () => {
  show(<Connection />, { at: paths.classes });
  expect(note()).toBeNull();
  act(() => onlineManager.setOnline(false));
  expect(note()).not.toBeNull();
  cleanup();
  show(<Connection />, { at: paths.dashboard.rollCall });
  expect(note()).toBeNull();
});

function Waits() {
  useQuery({ queryKey: ['a class'], queryFn: () => new Promise(() => undefined) });
  return <Connection />;
}

it('says so after three seconds without an answer', () => {
  vi.useFakeTimers();
  try {
    show(<Waits />);
    act(() => void vi.advanceTimersByTime(10));
    act(() => void vi.advanceTimersByTime(2_900));
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
    act(() => void vi.advanceTimersByTime(200));
    expect(screen.getByText('No answer yet. We are still trying.')).toBeTruthy();
  } finally {
    vi.useRealTimers();
  }
});

it('asks again when the browser is wrong about the network', async () => {
  show(<Connection />);
  act(() => onlineManager.setOnline(false));
  vi.stubGlobal('fetch', () => Promise.resolve(new Response()));
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await vi.waitFor(() => expect(note()).toBeNull());
});
