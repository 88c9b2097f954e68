// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../../testing/screen.tsx';
import { ask, toast } from './alert.ts';
import { OpenDialog, Toasts } from './Messages.tsx';

const question = { title: 'Sure?', yes: 'Yes' };

/** What the work gives, once the screen has followed. */
function doing<T>(work: () => T): T {
  const done: T[] = [];
  act(() => void done.push(work()));
  return done[0] as T;
}

it('a question has the focus on Cancel, and Escape is no', async () => {
  show(<OpenDialog />);
  for (let round = 0; round < 2; round += 1) {
    const answer = doing(() => ask(question));
    const cancel = await screen.findByRole('button', { name: 'Cancel' });
    expect(cancel.hasAttribute('autofocus')).toBe(true);
    fireEvent(screen.getByRole('dialog', { name: 'Sure?' }), new Event('cancel'));
    expect(await answer).toBe(false);
  }
});

it('a click outside a question is no, on its button yes', async () => {
  show(<OpenDialog />);
  const [no, yes] = doing(() => [ask(question), ask(question)] as const);
  fireEvent.click(await screen.findByRole('dialog'));
  expect(await no).toBe(false);
  fireEvent.click(await screen.findByRole('button', { name: 'Yes' }));
  expect(await yes).toBe(true);
});

const after = (ms: number) => {
  act(() => void vi.advanceTimersByTime(ms));
  return screen.queryAllByText(/Saved|Sorry/).map(({ textContent }) => textContent);
};

it('a success is shown for 1500 ms, anything else for 5 s', () => {
  vi.useFakeTimers();
  show(<Toasts />);
  act(() => toast('Saved'));
  act(() => toast('Sorry', 'error'));
  expect(after(1_400)).toEqual(['Saved', 'Sorry']);
  expect(after(110)).toEqual(['Sorry']);
  expect(after(3_500)).toEqual([]);
  vi.useRealTimers();
});
