// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { refusal, show } from '../testing/screen.tsx';
import { asSent, ClassFields, type ClassValues, emptyClass, useClassForm } from './ClassFields.tsx';

const filled: ClassValues = {
  ...emptyClass,
  name: 'Archery Basics',
  img: 'https://pictures.example.com/archery.jpg',
  price: '129',
  seat: '20',
};

const adding = { instructor: 'Ana Costa', email: 'ana@rally.test' };

const taken = async (): Promise<unknown> => null;

function Form({ values = filled, send = taken, isNew = true }) {
  const form = useClassForm(values, send);
  return (
    <form {...form.props}>
      <ClassFields form={form} {...(isNew && { adding })} />
      {form.problem && <p role="alert">{form.problem}</p>}
      <button type="submit">Add Class</button>
    </form>
  );
}

const submit = (values: ClassValues, send: () => Promise<unknown> = taken) => {
  const sent = vi.fn<() => Promise<unknown>>(send);
  show(<Form values={values} send={sent} />, { role: 'instructor' });
  fireEvent.click(screen.getByRole('button', { name: 'Add Class' }));
  return sent;
};

/** The sentence that an invalid field points to. */
async function errorOf(label: string) {
  const field = screen.getByLabelText(label);
  return waitFor(() => {
    if (field.getAttribute('aria-invalid') !== 'true') throw new Error(`${label} is not invalid`);
    const id = field.getAttribute('aria-describedby')?.split(' ')[0] ?? '';
    return document.getElementById(id)?.textContent;
  });
}

const added = ['Class Name', 'Photo URL', 'Instructor Name', 'Email', 'Price', 'Available Seats'];
const updated = ['Class Name', 'Price', 'Seat', 'Photo URL'];

describe('the form of a class', () => {
  it.each([
    ['added', true, added],
    ['updated', false, updated],
  ])('has the specified fields first when %s, in their order', (_, isNew, specified) => {
    show(<Form isNew={isNew} />, { role: 'instructor' });
    const fields = [...document.querySelectorAll('input, select, textarea')];
    const labels = fields.map((field) => (field as HTMLInputElement).labels?.[0]?.textContent);
    expect(labels.slice(0, specified.length)).toEqual(specified);
  });

  it.each([
    ['Class Name', { name: '' }, 'Class Name must'],
    ['Photo URL', { img: 'http://pictures.example.com/a.jpg' }, 'Photo URL must be an https://'],
    ['Price', { price: '0.10' }, '0.50'],
    ['Available Seats', { seat: '0' }, 'Available Seats must be at least 1'],
  ])('names what is wrong with %s %j', async (label, wrong, words) => {
    const sent = submit({ ...filled, ...wrong });
    expect(await errorOf(label)).toContain(words);
    expect(sent).not.toHaveBeenCalled();
  });

  it('is sent with stored words that are longer than typed ones', async () => {
    const long = 'Mon · 09:00–10:00; '.repeat(10);
    const sent = submit({ ...filled, schedule: long, place: long });
    await waitFor(() => expect(sent).toHaveBeenCalledTimes(1));
    fireEvent.change(screen.getByLabelText('Schedule'), { target: { value: `${long}x` } });
    fireEvent.click(screen.getByRole('button', { name: 'Add Class' }));
    expect(await errorOf('Schedule')).toContain('at most 120');
    expect(sent).toHaveBeenCalledTimes(1);
  });

  it('is sent with numbers', () => {
    expect(asSent({ ...filled, price: '120,50' })).toMatchObject({ price: 120.5, seat: 20 });
  });

  it('shows the refusal of too few seats at the seats', async () => {
    submit(filled, () => Promise.reject(refusal('SEATS_BELOW_SOLD')));
    expect(await errorOf('Available Seats')).toBe(refusal('SEATS_BELOW_SOLD').message);
    expect(document.activeElement).toBe(screen.getByLabelText('Available Seats'));
  });

  it('shows a refusal that names no field below the form', async () => {
    submit(filled, () => Promise.reject(refusal('RATE_LIMITED')));
    expect((await screen.findByRole('alert')).textContent).toContain('Too many');
  });
});
