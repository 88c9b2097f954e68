// The metadata of our intents at the card provider: the installation, basket, student, and a line for
// each seat. It identifies what was paid for when our own rows are lost.
import { limits } from '../../../contract/platform/limits.ts';
import type { Config } from '../../platform/config.ts';
import type { Intent } from '../../platform/cards.ts';
import type { Hold } from '../seats/holds.ts';
import type { Basket } from './basket.ts';

/** What a line of the metadata says: "participant class cents". */
export interface PaidLine {
  participantId: string;
  classId: string;
  cents: number;
}

type Seat = Pick<Hold, 'classId' | 'participantId' | 'listCents' | 'discountCents'>;

export const metadataOf = (
  config: Pick<Config, 'publicUrl'>,
  basket: Pick<Basket, 'id' | 'studentId'>,
  holds: readonly Seat[],
) => ({
  ...ofInstallation(config),
  basket: basket.id,
  student: basket.studentId,
  ...Object.fromEntries(
    holds.map(({ participantId, classId, listCents, discountCents }, place) => [
      `l${place + 1}`,
      `${participantId} ${classId} ${listCents - discountCents}`,
    ]),
  ),
});

export const linesOf = ({ metadata }: Intent): PaidLine[] =>
  Array.from({ length: limits.basketLines }, (_, place) => metadata[`l${place + 1}`])
    .filter((line) => line !== undefined)
    .map((line) => line.split(' '))
    .map(([participantId = '', classId = '', cents]) => ({
      participantId,
      classId,
      cents: Number(cents),
    }));

/** False: the intent belongs to another product or installation on the same provider account. */
export function isOurs(config: Pick<Config, 'publicUrl'>, { metadata }: Intent): boolean {
  return Object.entries(ofInstallation(config)).every(([key, value]) => metadata[key] === value);
}

const ofInstallation = ({ publicUrl }: Pick<Config, 'publicUrl'>) => ({
  app: 'rally',
  env: new URL(publicUrl).host,
});
