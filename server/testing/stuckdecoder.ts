// A program in place of the decoder of pictures (decode.ts): hangs, crashes or answers, as
// the picture's last byte says.
import type { PictureWork } from '../academy/decode.ts';

process.on('message', ({ bytes }: PictureWork) => {
  const wish = bytes.at(-1);
  if (wish === 0) for (;;);
  if (wish === 1) process.abort();
  process.send?.({ made: { width: process.pid, height: 16, files: [] } });
});
process.on('disconnect', () => process.exit(0));
