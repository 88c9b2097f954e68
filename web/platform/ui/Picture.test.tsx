// What the server writes for a picture.
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { Picture } from './Picture.tsx';

const drawn = (priority: 'high' | 'auto') =>
  renderToStaticMarkup(
    <Picture
      src="/media/class/first-touch-soccer.webp"
      alt=""
      width={800}
      height={450}
      fetchPriority={priority}
    />,
  );

it('the first picture of a page is preloaded, others are not', () => {
  expect(drawn('high')).toMatch(
    /^<link rel="preload" as="image" type="image\/avif"[^>]*imageSrcSet="\/media\/class\/first-touch-soccer.avif"/,
  );
  expect(drawn('auto')).not.toContain('preload');
});
