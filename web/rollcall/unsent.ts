// The question before a sign-out with marks that are not sent yet. They stay on this phone.
import { ask } from '../platform/ui/alert.ts';
import { readMarks } from './store.ts';

export async function mayLeave(userId: string): Promise<boolean> {
  const count = (await readMarks(userId).catch(() => [])).length;
  if (count === 0) return true;
  const marks = count === 1 ? '1 mark of a roll call is' : `${count} marks of a roll call are`;
  return ask({
    title: `${marks} not sent yet`,
    text: 'They stay on this phone, and are sent when you sign in here again.',
    yes: 'Sign out anyway',
    no: 'Stay signed in',
  });
}
