// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { show } from '../../testing/screen.tsx';
import { PhotoField, type Upload } from './PhotoField.tsx';
import { sourcesOf } from './sources.ts';

const photo = new File(['x'], 'photo.jpg', { type: 'image/jpeg' });
const stored = `/media/${'a'.repeat(64)}/1600.webp`;

/** The last choice of files that was opened. */
let chooser: HTMLInputElement | null = null;
beforeEach(() => {
  chooser = null;
  vi.restoreAllMocks();
  const make = document.createElement.bind(document);
  vi.spyOn(document, 'createElement').mockImplementation((name: string) => {
    const made = make(name);
    if (made instanceof HTMLInputElement) made.addEventListener('click', () => (chooser = made));
    return made;
  });
});

function Form({ upload }: { upload: Upload }) {
  const [address, setAddress] = useState('');
  return (
    <PhotoField
      label="Photo URL"
      address={address}
      value={address}
      onChange={({ target }) => setAddress(target.value)}
      onPicture={setAddress}
      upload={upload}
    />
  );
}

async function open(upload: Upload) {
  show(<Form upload={upload} />);
  await waitFor(() => expect(screen.getByRole('button')).toHaveProperty('disabled', false));
}

function choose(file = photo) {
  fireEvent.click(screen.getByRole('button', { name: 'Upload' }));
  if (!chooser) throw new Error('no choice of files was opened');
  Object.defineProperty(chooser, 'files', { value: [file] });
  fireEvent.change(chooser);
}

const field = () => screen.getByLabelText('Photo URL');

it('opens the gallery, shows progress and fills the field', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const upload = vi.fn<Upload>(() => promise);
  await open(upload);
  choose();
  expect([chooser?.type, chooser?.accept]).toEqual(['file', 'image/*']);
  expect(chooser?.isConnected).toBe(false);
  act(() => upload.mock.calls[0]?.[1].onShare(0.4));
  const bar = screen.getByRole<HTMLProgressElement>('progressbar');
  expect(bar.getAttribute('value')).toBe('0.4');
  // While the server works on it, the progress has no figure.
  act(() => upload.mock.calls[0]?.[1].onShare(1));
  expect(bar.hasAttribute('value')).toBe(false);
  resolve(stored);
  await waitFor(() => expect(field()).toHaveProperty('value', stored));
  const seen = await screen.findByRole('img', { name: 'What the address shows' });
  expect(seen.getAttribute('src')).toBe(stored);
  expect(screen.queryByRole('progressbar')).toBeNull();
  await screen.findByText('Uploaded.');
});

it('says why it failed and sends the same file again', async () => {
  const upload = vi
    .fn<Upload>()
    .mockRejectedValueOnce(new Error('The picture must not be animated.'))
    .mockResolvedValueOnce(stored);
  await open(upload);
  choose();
  expect((await screen.findByRole('alert')).textContent).toContain('must not be animated');
  fireEvent.click(screen.getByRole('button', { name: 'Retry' }));
  await waitFor(() => expect(field()).toHaveProperty('value', stored));
  expect(upload.mock.calls.map(([file]) => file)).toEqual([photo, photo]);
  expect(screen.queryByRole('alert')).toBeNull();
});

it('is cancelled: what arrives later fills nothing', async () => {
  const { promise, resolve } = Promise.withResolvers<string>();
  const upload = vi.fn<Upload>(() => promise);
  await open(upload);
  choose();
  fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(upload.mock.calls[0]?.[1].signal.aborted).toBe(true);
  await act(async () => resolve(stored));
  expect(field()).toHaveProperty('value', '');
});

it('says so when an address shows no picture, until it does', async () => {
  await open(() => Promise.reject(new Error()));
  fireEvent.change(field(), { target: { value: 'https://pictures.example/none.jpg' } });
  fireEvent.error(await screen.findByRole('img'));
  await screen.findByText('This address shows no picture.');
  fireEvent.change(field(), { target: { value: '/media/class/archery-basics.webp' } });
  await waitFor(() => expect(screen.queryByText('This address shows no picture.')).toBeNull());
});

it('asks for no picture while half an address is typed', async () => {
  await open(() => Promise.reject(new Error()));
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  for (const value of ['https://pictures', 'javascript:alert(1)']) {
    fireEvent.change(field(), { target: { value } });
    act(() => void vi.advanceTimersByTime(600));
    expect(screen.queryByRole('img')).toBeNull();
  }
});

it('names every width in which an uploaded picture exists', () => {
  const base = `/media/${'a'.repeat(64)}/`;
  expect(sourcesOf(`${base}700.webp`, 'avif')).toBe(
    `${base}96.avif 96w, ${base}480.avif 480w, ${base}700.avif 700w`,
  );
  expect(sourcesOf(`${base}96.webp`, 'webp')).toBe(`${base}96.webp 96w`);
  expect(sourcesOf('/media/class/archery-basics.webp', 'avif')).toBe(
    '/media/class/archery-basics.avif',
  );
  expect(sourcesOf('/media/class/archery-basics.webp', 'webp')).toBeUndefined();
  expect(sourcesOf('https://example.com/a.webp', 'avif')).toBeUndefined();
});
