// Signs out from a button of the frame. On a phone that took a roll call, marks that are not sent yet
// are asked about first.
import { rollCallUsed } from '../people/session/phone.ts';
import { signOut } from '../people/session/signIn.ts';
import { read } from '../people/session/state.ts';

export async function askAndSignOut(): Promise<boolean> {
  const leaves =
    !rollCallUsed() ||
    (await import('../rollcall/unsent.ts').then(
      ({ mayLeave }) => mayLeave(read().user?.id ?? ''),
      // The part did not arrive. The marks stay on the phone in any case.
      () => true,
    ));
  if (leaves) await signOut();
  return leaves;
}
