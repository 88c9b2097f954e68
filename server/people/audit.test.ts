// The filters of the audit log: who, what, when; links to the thing; a spreadsheet without formulas.
import type { AuditAction } from '../../contract/platform/audit.ts';
import { expect, it } from 'vitest';
import { exportAudit, listAudit } from '../../contract/people/users.ts';
import { testApp } from '../testing/app.ts';
import { aClass, anAdmin, aUser } from '../testing/factories.ts';
import { aPaymentRow } from '../testing/rows.ts';
import { audit } from './audit.ts';

const app = await testApp();
const admin = await anAdmin(app);
const other = await anAdmin(app);
const student = await aUser(app);
const klass = await aClass(app);
const paid = await aPaymentRow(app, { studentId: student.id, classId: klass.id });

const line = async (
  actorId: string | null,
  action: AuditAction,
  subject: string,
  { detail = '', at = '2026-05-10T12:00:00Z' } = {},
) => {
  await audit(app.db, { actorId, action, subject, detail });
  await app.pool.query(`alter table audit disable trigger append_only`);
  await app.pool.query(`update audit set at = $1 where id = (select max(id) from audit)`, [at]);
  await app.pool.query(`alter table audit enable trigger append_only`);
};
await line(admin.id, 'role student → instructor', student.id);
await line(other.id, 'class pending → approved', klass.id, { detail: '=1+1' });
// Half past midnight in Lisbon, the day before in UTC.
await line(null, 'payment recorded', paid.id, { at: '2026-05-10T23:30:00Z' });
await line(admin.id, 'account blocked', student.id);

const found = async (filters: object) =>
  (await app.send(listAudit, filters, admin.token)).body.map(({ action }) => action);

it('filters by who, by what and by days of the academy', async () => {
  expect(await found({ actor: other.id })).toEqual(['class pending → approved']);
  const { body } = await app.send(listAudit, { actor: 'system' }, admin.token);
  expect(body).toMatchObject([{ actor: 'System', action: 'payment recorded' }]);
  expect(await found({ what: 'roles' })).toEqual(['role student → instructor']);
  expect(await found({ what: 'accounts', actor: admin.id })).toEqual(['account blocked']);
  expect(await found({ from: '2026-05-11', to: '2026-05-11' })).toEqual(['payment recorded']);
  expect(await found({ to: '2026-05-10' })).toHaveLength(3);
  const { headers } = await app.send(listAudit, { what: 'classes', limit: 1 }, admin.token);
  expect(headers['x-total-count']).toBe('1');
});

it('says what a line is about, as far as it exists', async () => {
  const { body } = await app.send(listAudit, {}, admin.token);
  expect(Object.fromEntries(body.map(({ action, about }) => [action, about]))).toEqual({
    'account blocked': 'user',
    'payment recorded': 'payment',
    'class pending → approved': 'class',
    'role student → instructor': 'user',
  });
});

it('is a spreadsheet in which no cell is a formula', async () => {
  const { body } = await app.send(exportAudit, { what: 'classes' }, admin.token);
  const rows = body.trim().split('\r\n');
  expect(rows).toHaveLength(2);
  expect(rows[1]).toContain(`"class pending → approved","class","${klass.id}","'=1+1"`);
});
