// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import {
  type Academy as Settings,
  academyRules,
  changeAcademy,
  readAcademy,
} from '../../../contract/academy/academy.ts';
import { settings } from '../../../contract/platform/settings.ts';
import { someSettings } from '../../testing/samples.ts';
import { answers, answersBy, refuses, show } from '../../testing/screen.tsx';
import { Academy } from './Academy.tsx';

// Hundreds of options take the time of the test.
vi.spyOn(Intl, 'supportedValuesOf').mockReturnValue(['Europe/Lisbon']);

const empty = Object.fromEntries(Object.keys(academyRules).map((field) => [field, '']));
const stored = {
  ...empty,
  version: 3,
  name: 'Baseline Club',
  email: 'hello@baseline.example',
  currency: 'usd',
  currencyStays: true,
  timeZone: 'Europe/Lisbon',
  meetingsToCome: 12,
  sports: [{ name: 'Tennis', icon: 'ball', used: true }],
  banners: [null, null, null, null],
  sponsors: [] as object[],
  faq: [] as object[],
} as Settings;

type Replies = NonNullable<NonNullable<Parameters<typeof show>[1]>['replies']>;
const page = (replies: Replies, at = '/') =>
  show(<Academy />, {
    role: 'admin',
    at,
    replies: [...replies, answers(settings, someSettings)],
  });
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const section = (name: string) => screen.findByRole('region', { name });

it('sends what was changed, with the version that was read', async () => {
  const { sent } = page([
    answers(readAcademy, stored),
    answers(changeAcademy, { modifiedCount: 1, version: 4 }),
  ]);
  const name = await section('Name and logo');
  const save = within(name).getByRole<HTMLButtonElement>('button', { name: 'Save' });
  expect(save.disabled).toBe(true);
  type('Tagline', 'Serve first.');
  fireEvent.click(save);
  await waitFor(() =>
    expect(sent.find(({ method }) => method === 'PATCH')?.body).toEqual({
      version: 3,
      tagline: 'Serve first.',
    }),
  );
});

it('says what another admin changed, and keeps what was typed', async () => {
  let reads = 0;
  page([
    answersBy(readAcademy, () =>
      (reads += 1) === 1 ? stored : { ...stored, version: 9, name: 'Net Club', tagline: 'Hi' },
    ),
    refuses(changeAcademy, 'ACADEMY_CHANGED', undefined, { changed: ['name', 'tagline'] }),
  ]);
  const name = await section('Name and logo');
  type('Tagline', 'Serve first.');
  fireEvent.click(within(name).getByRole('button', { name: 'Save' }));
  const note = await within(name).findByRole('alert');
  expect(note.textContent).toContain('Name: Net Club');
  expect(screen.getByLabelText<HTMLInputElement>('Tagline').value).toBe('Serve first.');
  expect(within(name).getByLabelText<HTMLInputElement>('Name').value).toBe('Net Club');
});

it('shows a contrast that is too low, and the refusal', async () => {
  const message = 'primary has a contrast of 1.3 for links in the light theme';
  const refused = refuses(changeAcademy, 'INVALID_INPUT', 'primary', { message });
  page([answers(readAcademy, stored), refused], '/?section=colours');
  const colours = await section('Colours');
  fireEvent.change(within(colours).getByLabelText('Main colour'), { target: { value: '#ffd400' } });
  expect(await within(colours).findByText('1.2')).toBeTruthy();
  fireEvent.click(within(colours).getByRole('button', { name: 'Save' }));
  const words = message.replace('primary', 'Main colour');
  expect(await within(colours).findByText(words)).toBeTruthy();
});
