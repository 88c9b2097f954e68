// How many there are, in words for a person.
import { counted } from '../../../contract/platform/call.ts';
import { number } from '../ui/locale.ts';

export const inWords = (count: number) =>
  count === counted + 1 ? `${number(counted)}+` : number(count);
