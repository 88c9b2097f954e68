// Sends a picture to the server, made smaller first where the browser can: a photo of a phone has
// 6 MB and the server keeps a tenth of them. Loaded when a file is chosen (photo.ts).
import { address, type AnyCall } from '../../../contract/platform/call.ts';
import type { ErrorBody } from '../../../contract/platform/errors.ts';
import { limits } from '../../../contract/platform/limits.ts';
import {
  type PictureKind,
  type Uploaded,
  uploadAtSignUp,
  uploadPicture,
} from '../../../contract/platform/pictures.ts';
import type { Upload } from '../ui/PhotoField.tsx';
import { ApiError, offline } from './send.ts';
import { freshToken, tokenRefused } from './token.ts';

export async function upload(
  kind: PictureKind | 'signup',
  file: File,
  watch: Parameters<Upload>[1],
): Promise<string> {
  const body = await smaller(file);
  if (body.size > limits.picture.bytes)
    throw new ApiError(413, { code: 'TOO_LARGE', message: 'The picture must have at most 8 MB.' });
  watch.signal.throwIfAborted();
  return kind === 'signup'
    ? post(uploadAtSignUp, {}, body, watch)
    : post(uploadPicture, { kind }, body, watch);
}

/** Not fetch: it does not tell how much has been sent. */
async function post(
  call: AnyCall,
  input: Record<string, string>,
  body: Blob,
  { signal, onShare }: Parameters<Upload>[1],
): Promise<string> {
  const bearer = call.byCookie ? null : await freshToken();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const request = new XMLHttpRequest();
  request.open('POST', `${address(call, {}).path}?${new URLSearchParams(input)}`);
  request.responseType = 'json';
  request.setRequestHeader('content-type', 'application/octet-stream');
  if (bearer) request.setRequestHeader('authorization', `Bearer ${bearer}`);
  request.upload.addEventListener('progress', ({ loaded, total }) => onShare(loaded / total));
  request.addEventListener('load', () => {
    const { status } = request;
    const answer = (request.response ?? {}) as Partial<ErrorBody & Uploaded>;
    if (status === 201) resolve(answer.url ?? '');
    else reject(refusal(status, answer, bearer !== null));
  });
  request.addEventListener('error', () => reject(offline()));
  request.addEventListener('abort', () => reject(new DOMException('Cancelled', 'AbortError')));
  signal.addEventListener('abort', () => request.abort());
  request.send(body);
  return promise;
}

function refusal(status: number, body: Partial<ErrorBody>, hadToken: boolean): ApiError {
  if (hadToken && (status === 401 || status === 403)) tokenRefused();
  const message =
    status === 429 ? 'You have sent many pictures. Please try again in an hour.' : body.message;
  return new ApiError(status, {
    ...body,
    code: body.code ?? `HTTP_${status}`,
    ...(message && { message }),
  });
}

/** Smaller files are sent as they are. */
const fine = 1_000_000;

/** As wide as the server keeps it, without metadata. What cannot be read is the server's. */
async function smaller(file: File): Promise<Blob> {
  if (file.size <= fine) return file;
  try {
    const image = await createImageBitmap(file);
    const scale = Math.min(1, limits.picture.widest / image.width, 4_096 / image.height);
    const canvas = document.createElement('canvas');
    canvas.width = Math.round(image.width * scale);
    canvas.height = Math.round(image.height * scale);
    const context = canvas.getContext('2d');
    if (!context) return file;
    context.imageSmoothingQuality = 'high';
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    image.close();
    const type = file.type === 'image/png' ? 'image/png' : 'image/jpeg';
    const made = await new Promise<Blob | null>((done) => canvas.toBlob(done, type, 0.9));
    return made && made.size < file.size ? made : file;
  } catch {
    return file;
  }
}
