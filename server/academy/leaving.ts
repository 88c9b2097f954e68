// The terms of leaving, of the academy and of a class. A change adds a row: what was sold keeps its own.
import { changeLeavingTerms, getLeavingTerms } from '../../contract/checkout/leaving.ts';
import type { LeavingTerms } from '../../contract/checkout/leaving.ts';
import { execute, queryOne } from '../platform/db/connection.ts';
import { changed } from '../platform/db/write.ts';
import { fail, refuseField } from '../platform/http/fail.ts';
import type { Services } from '../platform/services.ts';

export function leavingTerms({ on, db, write }: Services): void {
  on(getLeavingTerms, async ({ classId = null }) => {
    const found = await queryOne<{ terms: LeavingTerms; own: boolean; known: boolean }>(db)`
      select leaving.terms, class.leaving_id is not null as own, class.id is not null as known
      from academy left join class on class.id = ${classId}
        join leaving on leaving.id = coalesce(class.leaving_id, academy.leaving_id)`;
    if (!found || (classId !== null && !found.known)) fail('NOT_FOUND');
    return { terms: found.terms, own: found.own };
  });

  on(changeLeavingTerms, ({ terms, classId }, { who }) =>
    write(who, async (db) => {
      if (terms === null && classId === undefined) refuseField('terms', 'must be given');
      const made =
        terms &&
        (await queryOne<{ id: string }>(db)`
          insert into leaving (terms) values (${JSON.stringify(terms)}::jsonb) returning id`);
      const id = made?.id ?? null;
      const count =
        classId === undefined
          ? await execute(db)`update academy set leaving_id = ${id}`
          : await execute(db)`update class set leaving_id = ${id} where id = ${classId}`;
      if (count === 0) fail('NOT_FOUND');
      const subject = classId ?? 'academy';
      return changed({ action: 'terms of leaving changed', subject, detail: inWords(terms) });
    }),
  );
}

const inWords = (terms: LeavingTerms | null) =>
  terms === null
    ? 'as the academy'
    : [
        ...terms.steps.map(({ days, ...rates }) => `${days} days before: ${percents(rates)}`),
        `begun: ${percents(terms.begun)}`,
        `resold: ${terms.resold} %`,
        `withdraw: ${terms.withdraw} days`,
      ].join(', ');

const percents = ({ card, credit }: LeavingTerms['begun']) => `${card} % card, ${credit} % credit`;
