// What a button does, for a change without a form: a toast when it is done, a dialog with the reason
// when it is not.
import { failure, toast } from '../ui/alert.ts';
import { readable } from './send.ts';

export async function attempt(
  work: () => Promise<unknown>,
  said: string,
  refused = 'That did not work',
): Promise<boolean> {
  try {
    await work();
  } catch (error) {
    void failure(refused, readable(error));
    return false;
  }
  toast(said);
  return true;
}
