// How many there are, in words for a person.
import { counted } from '../../../contract/call.ts';

export const inWords = (count: number) =>
  count === counted + 1 ? `${counted.toLocaleString('en-US')}+` : count.toLocaleString('en-US');
