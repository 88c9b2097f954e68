// The chore forget-old: once a day it deletes what is not needed any more, and seals care facts of
// older keys again. How long each thing is kept: docs/operations.md.
import type { Services } from '../../services.ts';
import { forgetUnreadFeeds } from '../classes/feeds.ts';
import type { CareBox } from '../people/care.ts';
import { forgetFamilies } from '../people/retention.ts';
import { forgetMarks } from '../rollcall/forgetmarks.ts';
import { forgetPictures } from './pictures.ts';

export const createForgetOld =
  ({ db, reseal, ...families }: Omit<Services, 'on' | 'onRaw'> & { reseal: CareBox['reseal'] }) =>
  async (): Promise<void> => {
    await forgetFamilies(families);
    await forgetUnreadFeeds(db);
    await forgetMarks(db);
    await forgetPictures(db);
    await reseal(100);
  };
