// The metadata of our intents at the card provider: the installation, basket, student, and a line for
// each seat. It identifies what was paid for when our own rows are lost.
import type { Config } from '../../../config.ts';
import type { Intent } from '../../../outside/cards.ts';
import type { Hold } from '../seats/holds.ts';
import type { Basket } from './basket.ts';

/** What a line of the metadata says: "participant class cents". */
export interface PaidLine {
  participantId: string;
  classId: string;
  cents: number;
}

export const mostLines = 12;

type Seat = Pick<Hold, 'id' | 'classId' | 'participantId' | 'listCents' | 'discountCents'>;

/** One seat is described as before there were baskets, too. */
export const metadataOf = (
  config: Pick<Config, 'publicUrl'>,
  basket: Pick<Basket, 'id' | 'studentId'>,
  holds: readonly Seat[],
) => ({
  ...ofInstallation(config),
  basket: basket.id,
  student: basket.studentId,
  ...(holds.length === 1 &&
    holds[0] && {
      hold: holds[0].id,
      class: holds[0].classId,
      participant: holds[0].participantId,
    }),
  ...Object.fromEntries(
    holds.map(({ participantId, classId, listCents, discountCents }, place) => [
      `l${place + 1}`,
      `${participantId} ${classId} ${listCents - discountCents}`,
    ]),
  ),
});

/**
 * The lines of an intent. One from before there were baskets has the class and the participant; one
 * from before there were participants is for the student.
 */
export function linesOf({ metadata, amountCents }: Intent): PaidLine[] {
  const { student = '', participant = student, class: classId = '' } = metadata;
  const lines = Array.from({ length: mostLines }, (_, place) => metadata[`l${place + 1}`])
    .filter((line) => line !== undefined)
    .map((line) => line.split(' '))
    .map(([participantId = '', classId = '', cents]) => ({
      participantId,
      classId,
      cents: Number(cents),
    }));
  return lines.length > 0 ? lines : [{ participantId: participant, classId, cents: amountCents }];
}

/** False: the intent belongs to another product or installation on the same provider account. */
export function isOurs(config: Pick<Config, 'publicUrl'>, { metadata }: Intent): boolean {
  return Object.entries(ofInstallation(config)).every(([key, value]) => metadata[key] === value);
}

const ofInstallation = ({ publicUrl }: Pick<Config, 'publicUrl'>) => ({
  app: 'rally',
  env: new URL(publicUrl).host,
});
