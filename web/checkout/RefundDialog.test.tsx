// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { aReceipt } from '../testing/samples.ts';
import { show } from '../testing/screen.tsx';
import { RefundDialog } from './RefundDialog.tsx';

it('says that the family is told the reason', () => {
  show(<RefundDialog payment={aReceipt} onClose={vi.fn<() => void>()} />, { role: 'admin' });
  expect(screen.getByText('Kept in the audit log and told to the family.')).toBeTruthy();
});
