// Pictures that people upload. The server makes them anew in the widths that pages show and serves
// them at /media/{sha256}/{width}.{avif|webp}.
import * as z from 'zod/mini';
import { call, callByCookie } from './call.ts';
import { answer } from './described.ts';

/** What it shows. A picture of a class is for instructors and admins, one of the academy for admins. */
export const pictureKinds = ['class', 'person', 'academy'] as const;
export type PictureKind = (typeof pictureKinds)[number];

const picture = z.object({
  /** For any field that takes the address of a picture: its largest width as WebP. */
  url: z.string(),
  width: answer.count,
  height: answer.count,
});
export type Uploaded = z.infer<typeof picture>;

export const uploadPicture = call('POST /pictures', {
  does: 'Stores a picture (JPEG, PNG, WebP or AVIF, at most 8 MB and 40 megapixels, 16 as AVIF) without its metadata. 20 an hour and 200 stored for one account. A picture that nothing shows is deleted after 7 days.',
  access: 'signed-in',
  example: { kind: 'person' },
  input: z.strictObject({ kind: z.enum(pictureKinds, "must be 'class', 'person' or 'academy'") }),
  response: picture,
  errors: ['FORBIDDEN', 'TOO_LARGE', 'PICTURES_FULL'],
  status: 201,
  perHour: 20,
  takes: 'picture',
});

/** For the sign-up form: there is no account yet. */
export const uploadAtSignUp = callByCookie('POST /pictures/signup', {
  does: 'Stores the photo of a person who signs up: 100 an hour from one network. Otherwise like POST /pictures.',
  access: 'public',
  input: z.strictObject({}),
  response: picture,
  errors: ['TOO_LARGE'],
  status: 201,
  perHour: 100,
  takes: 'picture',
});
