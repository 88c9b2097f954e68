// Signs out from a button of the frame. Marks of a roll call that are not sent yet are asked about
// first: they stay on this phone, under this user.
import { rollCallUsed } from '../session/phone.ts';
import { signOut } from '../session/signIn.ts';
import { read } from '../session/state.ts';
import { ask } from '../ui/alert.ts';

/** False: the user stays. */
export async function askAndSignOut(): Promise<boolean> {
  const count = rollCallUsed() ? await unsent(read().user?.id ?? '').catch(() => 0) : 0;
  const marks = count === 1 ? '1 mark of a roll call is' : `${count} marks of a roll call are`;
  const leaves =
    count === 0 ||
    (await ask({
      title: `${marks} not sent yet`,
      text: 'They stay on this phone, and are sent when you sign in here again.',
      yes: 'Sign out anyway',
      no: 'Stay signed in',
    }));
  if (leaves) await signOut();
  return leaves;
}

async function unsent(userId: string): Promise<number> {
  const { readMarks } = await import('../features/rollcall/store.ts');
  return (await readMarks(userId)).length;
}
