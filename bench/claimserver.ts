// A server with one route that claims a seat, with the function of the checkout: the cost of a
// claim through HTTP, without the card provider. Only for bench/claims.ts.
import fastify from 'fastify';
import { connect } from '../server/db/connection.ts';
import { createClaims } from '../server/features/checkout/seats/claim.ts';

const database = connect(process.env['DATABASE_URL'] ?? '');
const claimSeat = createClaims(database.db);
const app = fastify();
app.post<{ Body: { studentId: string; classId: string } }>('/claim', async ({ body }, reply) => {
  const hold = await claimSeat({
    ...body,
    participantId: body.studentId,
    cartItemId: null,
    amountCents: 1_000,
  });
  return hold ? { id: hold.id } : reply.code(409).send({ code: 'SOLD_OUT' });
});
await app.listen({ port: 0, host: '127.0.0.1' });
console.log(
  `claims is open at http://127.0.0.1:${(app.server.address() as { port: number }).port}`,
);
process.on('SIGTERM', () => process.exit(0));
