// A mail as a list of parts. The same parts become its plain text (here) and its HTML (html.ts), so the
// two always say the same.

/**
 * A paragraph, or one of these. Nothing that a person wrote becomes a link: only `href` does, and only
 * for addresses of our own pages.
 */
export type Part =
  | string
  /** Labelled lines such as `When: Mon 16:00`. */
  | { facts: readonly (readonly [label: string, value: string])[] }
  | { lines: readonly string[] }
  /** The words of a person, several lines. */
  | { quote: string }
  /** Things with details: seats of a payment, meetings of a day, classes to review. */
  | { seats: readonly { title: string; price?: string; lines: readonly string[] }[] }
  /** The one thing to do. `says` is the line above the address in the text. */
  | { button: string; href: string; says?: string }
  /** `before` is a sentence in front of the link. */
  | { link: string; href: string; before?: string }
  | { small: string };

export const textOf = (parts: readonly Part[]): string =>
  parts.map(textOfPart).filter(Boolean).join('\n\n');

function textOfPart(part: Part): string {
  if (typeof part === 'string') return part;
  if ('facts' in part) return part.facts.map(([label, value]) => `${label}: ${value}`).join('\n');
  if ('lines' in part) return part.lines.join('\n');
  if ('quote' in part) return part.quote;
  if ('small' in part) return part.small;
  if ('button' in part) return part.says ? `${part.says}\n${part.href}` : part.href;
  if ('link' in part) return `${part.before ? `${part.before} ` : ''}${part.link}:\n${part.href}`;
  return part.seats
    .map(({ title, price, lines }) =>
      [price ? `${title}: ${price}` : title, ...lines].filter(Boolean).join('\n'),
    )
    .join('\n\n');
}
