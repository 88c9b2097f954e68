// The metadata of our intents at the card provider: which installation opened them, and for which
// hold, class and student. Not for: amounts (the hold has them).
import type { Config } from '../../../config.ts';
import type { Intent } from '../../../outside/cards.ts';
import type { Hold } from '../seats/holds.ts';

/** With it a payment finds its student and class when our own row is lost. */
export const metadataOf = (
  config: Pick<Config, 'publicUrl'>,
  hold: Pick<Hold, 'id' | 'classId' | 'studentId'>,
) => ({
  ...ofInstallation(config),
  hold: hold.id,
  class: hold.classId,
  student: hold.studentId,
});

/** False: another product, or another installation, uses the same account at the provider. */
export function isOurs(config: Pick<Config, 'publicUrl'>, { metadata }: Intent): boolean {
  return Object.entries(ofInstallation(config)).every(([key, value]) => metadata[key] === value);
}

const ofInstallation = ({ publicUrl }: Pick<Config, 'publicUrl'>) => ({
  app: 'rally',
  env: new URL(publicUrl).host,
});
