// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { show } from '../../testing/screen.tsx';
import { OpenDialog } from './Messages.tsx';
import { onDemand, partOnDemand } from './onDemand.tsx';

const loaded = { tries: 0 };
const Text = ({ text }: { text: string; onClose: () => void }) => <p>{text}</p>;
const Dialog = onDemand(async () => {
  loaded.tries += 1;
  if (loaded.tries === 1) throw new TypeError('Failed to fetch dynamically imported module');
  return Text;
});

function Page() {
  const [isOpen, setOpen] = useState(true);
  return isOpen ? (
    <Dialog text="Here it is" onClose={() => setOpen(false)} />
  ) : (
    <button onClick={() => setOpen(true)}>Again</button>
  );
}

it('closes a dialog that does not arrive, and loads it later', async () => {
  show(
    <>
      <Page />
      <OpenDialog />
    </>,
  );
  expect(await screen.findByText('Part of this page did not arrive')).toBeTruthy();
  fireEvent.click(screen.getByText('OK'));
  fireEvent.click(screen.getByText('Again'));
  expect(await screen.findByText('Here it is')).toBeTruthy();
});

it('shows a placeholder for a part, and another try', async () => {
  let tries = 0;
  const Part = partOnDemand<{ text: string }>(
    async () => {
      tries += 1;
      if (tries === 1) throw new TypeError('Failed to fetch dynamically imported module');
      return ({ text }) => <p>{text}</p>;
    },
    <p>Wait</p>,
  );
  show(<Part text="Here it is" />);
  expect(screen.getByText('Wait')).toBeTruthy();
  fireEvent.click(await screen.findByText('Retry'));
  expect(await screen.findByText('Here it is')).toBeTruthy();
});
