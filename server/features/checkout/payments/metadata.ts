// The metadata of our intents at the card provider: the installation, hold, class, student
// and participant. The
// amount is in the hold.
import type { Config } from '../../../config.ts';
import type { Intent } from '../../../outside/cards.ts';
import type { Hold } from '../seats/holds.ts';

/** Identifies student, participant and class of a payment when our own row is lost. */
export const metadataOf = (
  config: Pick<Config, 'publicUrl'>,
  hold: Pick<Hold, 'id' | 'classId' | 'studentId' | 'participantId'>,
) => ({
  ...ofInstallation(config),
  hold: hold.id,
  class: hold.classId,
  student: hold.studentId,
  participant: hold.participantId,
});

/** False: the intent belongs to another product or installation on the same provider account. */
export function isOurs(config: Pick<Config, 'publicUrl'>, { metadata }: Intent): boolean {
  return Object.entries(ofInstallation(config)).every(([key, value]) => metadata[key] === value);
}

const ofInstallation = ({ publicUrl }: Pick<Config, 'publicUrl'>) => ({
  app: 'rally',
  env: new URL(publicUrl).host,
});
