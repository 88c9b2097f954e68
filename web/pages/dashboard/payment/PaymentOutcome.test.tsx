// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { show } from '../../../testing/screen.tsx';
import { PaymentOutcome } from './PaymentOutcome.tsx';

it.each([
  ['recorded later', 'do not pay again', true],
  ['processing', 'do not pay again', true],
  ['unknown', 'do not pay again', true],
  ['refund', 'full amount', false],
] as const)('tells what became of a payment: %s', (phase, words, checks) => {
  const onCheck = vi.fn<() => void>();
  show(<PaymentOutcome phase={phase} price={129} onCheck={onCheck} />);
  const text = screen.getByRole('alert').textContent;
  expect(text).toContain(words);
  expect(text).toContain('$129.00');
  const check = screen.queryByRole('button', { name: 'Check again' });
  if (check) fireEvent.click(check);
  expect(onCheck).toHaveBeenCalledTimes(checks ? 1 : 0);
  expect(screen.getByRole('link', { name: 'Payment history' })).toBeTruthy();
});
