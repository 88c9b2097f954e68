// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { type CareFacts, noCare, readCare, writeCare } from '../../../contract/people/care.ts';
import { answers, refuses, show } from '../../testing/screen.tsx';
import { CareForm } from './CareForm.tsx';
import { CareSheet } from './CareSheet.tsx';

const facts: CareFacts = {
  ...noCare,
  allergies: 'Peanuts',
  contacts: [{ name: 'Eva', relation: 'Mother', phone: '+351 912 345 678' }],
  state: 'old',
  confirmedAt: '2025-03-03T10:00:00Z',
};
const form = (of: CareFacts) =>
  show(<CareForm participantId="x" name="Mia" facts={of} />, {
    replies: [answers(writeCare, { modifiedCount: 1 }), answers(readCare, of)],
  });

const second = (label: string) => screen.getAllByLabelText(label)[1] as HTMLInputElement;

/** Other care facts arrive with each button. */
function Page() {
  const [of, setOf] = useState(facts);
  return (
    <>
      {['Bees', 'Cats'].map((allergies) => (
        <button key={allergies} type="button" onClick={() => setOf({ ...facts, allergies })}>
          {allergies}
        </button>
      ))}
      <CareForm participantId="x" name="Mia" facts={of} />
    </>
  );
}

const shown = () => screen.getByLabelText<HTMLInputElement>('Allergies').value;

describe('the care form', () => {
  it('confirms old facts with one tap: the same document is sent', async () => {
    const { sent } = form(facts);
    fireEvent.click(screen.getByRole('button', { name: 'Yes, still right' }));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    const { state: _state, confirmedAt: _at, ...document } = facts;
    expect(sent[0]).toMatchObject({ method: 'PATCH', body: document });
  });

  it('shows what another saved meanwhile, and saves what counts', async () => {
    const { sent } = show(<CareForm participantId="x" name="Mia" facts={facts} />, {
      replies: [refuses(writeCare, 'CARE_CHANGED'), answers(readCare, facts)],
    });
    fireEvent.change(screen.getByLabelText('Allergies'), { target: { value: 'Nuts' } });
    fireEvent.click(screen.getByRole('button', { name: /^Save allergies and contacts/ }));
    expect((await screen.findByRole('alert')).textContent).toContain('Allergies: Peanuts');
    expect(shown()).toBe('Nuts');
    expect(sent.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
      allergies: 'Nuts',
      seen: facts.confirmedAt,
    });
    fireEvent.click(screen.getByRole('button', { name: 'Save mine instead' }));
    await vi.waitFor(() => expect(sent.filter(({ method }) => method === 'PATCH')).toHaveLength(2));
    fireEvent.click(await screen.findByRole('button', { name: 'Take theirs' }));
    expect(shown()).toBe('Peanuts');
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('names a wrong phone at its field, saves all parts together', async () => {
    const { sent } = form({ ...facts, state: 'filled' });
    expect(screen.queryByText('Still right?')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Add a contact' }));
    fireEvent.change(second('Name'), { target: { value: 'Rosa' } });
    fireEvent.change(second('Phone'), { target: { value: 'soon' } });
    fireEvent.click(screen.getByRole('button', { name: /^Save/ }));
    expect((await screen.findByRole('alert')).textContent).toMatch(/^Phone must be a phone number/);
    expect(sent).toEqual([]);
    fireEvent.change(second('Phone'), { target: { value: '912 345 679' } });
    fireEvent.click(screen.getByRole('button', { name: /^Save/ }));
    await vi.waitFor(() => expect(sent).toHaveLength(1));
    expect(sent[0]?.body).toMatchObject({
      allergies: 'Peanuts',
      contacts: [{ name: 'Eva' }, { name: 'Rosa', relation: '', phone: '912 345 679' }],
      mayGoAlone: false,
    });
  });

  it('shows what another has saved, unless something is typed', () => {
    show(<Page />);
    fireEvent.click(screen.getByRole('button', { name: 'Bees' }));
    expect(shown()).toBe('Bees');
    fireEvent.change(screen.getByLabelText('Allergies'), { target: { value: 'Bees, nuts' } });
    fireEvent.click(screen.getByRole('button', { name: 'Cats' }));
    expect(shown()).toBe('Bees, nuts');
  });

  it('says that a document cannot be read', () => {
    form({ ...noCare, state: 'unreadable', confirmedAt: facts.confirmedAt });
    expect(screen.getByRole('alert').textContent).toContain('please enter them again');
  });
});

it('the sheet calls the first contact with one tap', () => {
  show(<CareSheet name="Mia" facts={facts} onClose={() => undefined} />);
  const call = screen.getByRole('link', { name: /Call Eva, Mother/ });
  expect(call.getAttribute('href')).toBe('tel:+351912345678');
});
