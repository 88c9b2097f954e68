// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { beforeEach, expect, it, vi } from 'vitest';
import { show } from '../../testing/screen.tsx';
import { Slider } from './Slider.tsx';

const slides = ['a', 'b', 'c', 'd'].map((id) => ({ id, base: `/media/${id}`, alt: id }));

/** A gliding picture takes 350 ms. */
beforeEach(() => void vi.stubGlobal('matchMedia', () => ({ matches: true })));

/** happy-dom has no layout: a picture is 100 px wide, and scrolling tells of itself. */
function open() {
  show(<Slider label="Sports" slides={slides} />);
  const track = screen.getByRole('region', { name: 'Sports: use the arrow keys' });
  Object.defineProperty(track, 'clientWidth', { value: 100 });
  let left = 0;
  Object.defineProperty(track, 'scrollLeft', {
    get: () => left,
    set: (to: number) => {
      left = to;
      fireEvent.scroll(track);
    },
  });
  return track;
}
const shown = () => screen.getByRole('status').textContent;

const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

it('goes by arrow, dot, thumbnail and key, and around', async () => {
  const track = open();
  press('Next picture');
  await expect.poll(shown).toBe('2 of 4');
  press('Show picture 4');
  await expect.poll(shown).toBe('4 of 4');
  press('Next picture');
  await expect.poll(shown).toBe('1 of 4');
  press(/^Thumbnail 3/);
  await expect.poll(shown).toBe('3 of 4');
  fireEvent.keyDown(track, { key: 'ArrowLeft' });
  await expect.poll(shown).toBe('2 of 4');
});

it('takes a swipe of more than 5 px for one', async () => {
  const track = open();
  track.setPointerCapture = () => undefined;
  const swipe = (by: number) => {
    fireEvent.pointerDown(track, { button: 0, clientX: 50 });
    fireEvent.pointerMove(track, { clientX: 50 + by });
    fireEvent.pointerUp(track, { clientX: 50 + by });
  };
  swipe(-5);
  await expect.poll(shown).toBe('1 of 4');
  swipe(-40);
  await expect.poll(shown).toBe('2 of 4');
});
