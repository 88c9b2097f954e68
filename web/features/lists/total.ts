// How many there are, in words for a person.
import { counted } from '../../../contract/call.ts';

export const inWords = (count: number) =>
  count === counted + 1 ? `${counted.toLocaleString('en-US')}+` : count.toLocaleString('en-US');

/**
 * Next to a total: how many of them a search or filter found. Null without one, or while the number
 * belongs to another search.
 */
export const foundInWords = (
  narrowed: boolean,
  found: { data: { total: number } | undefined; isPlaceholderData: boolean },
): string | null =>
  narrowed && found.data && !found.isPlaceholderData ? `${inWords(found.data.total)} found` : null;
