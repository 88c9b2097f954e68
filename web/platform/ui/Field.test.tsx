// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { show } from '../../testing/screen.tsx';
import { Field } from './Field.tsx';

it.each([
  ['email', {}, 'papa@', 'Please type an address such as name@example.com'],
  ['text', { required: true }, '', 'Born is required'],
  ['number', { max: 20 }, '21', 'Born must not be more than 20'],
])('a %s that is wrong is said at the field', (type, limits, typed, words) => {
  show(
    <form>
      <Field label="Born" type={type} {...limits} defaultValue={typed} />
    </form>,
  );
  const field = screen.getByLabelText('Born');
  expect(fireEvent.invalid(field)).toBe(false);
  expect(screen.getByRole('alert').textContent).toBe(words);
  fireEvent.input(field, { target: { value: '' } });
  expect(screen.queryByRole('alert')).toBeNull();
});
