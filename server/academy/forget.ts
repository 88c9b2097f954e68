// The chore forget-old: once a day it deletes what is not needed any more, and seals care facts of
// older keys again. How long each thing is kept: docs/operations.md.
import type { Services } from '../platform/services.ts';
import type { Db } from '../platform/db/connection.ts';
import { forgetUnreadFeeds } from '../classes/feeds.ts';
import type { CareBox } from '../people/care.ts';
import { forgetFamilies } from '../people/retention.ts';
import { forgetMarks } from '../rollcall/forgetmarks.ts';
import { forgetPictures } from './pictures.ts';

type Forgetting = Omit<Services, 'on' | 'onRaw'> & {
  reseal: CareBox['reseal'];
  /** Sessions and links that are over: of a room that this one does not know. */
  forgetSignIns: (db: Db) => Promise<void>;
};

export const createForgetOld =
  ({ db, reseal, forgetSignIns, ...families }: Forgetting) =>
  async (): Promise<void> => {
    await forgetFamilies(families);
    await forgetUnreadFeeds(db);
    await forgetMarks(db);
    await forgetPictures(db);
    await forgetSignIns(db);
    await reseal(100);
  };
