// The clients' journal: every write that was answered with 2xx, and what must therefore be in the
// database. A write without a response may have happened or not, and may still happen; nothing is
// claimed about it.
import type { Pool } from 'pg';

export type Journal = ReturnType<typeof openJournal>;

type Kept = 'class' | 'hold' | 'basket' | 'payment';
/** Rows that are never deleted, each by its id and its constant fields. */
const rowsOf: Record<Kept, string> = {
  class: 'select id::text as row from class',
  hold: `select id::text as row from hold`,
  basket: `select id || ' ' || coalesce(intent_id, '') as row from basket`,
  payment: `select id || ' ' || intent_id as row from payment`,
};

/**
 * What one student knows of one class in the cart: the item's id, that it is not there, or nothing.
 */
type Item = { id: string } | 'absent' | 'unknown';

export function openJournal() {
  let acknowledged = 0;
  const kept: Record<Kept, Set<string>> = {
    class: new Set(),
    hold: new Set(),
    basket: new Set(),
    payment: new Set(),
  };
  /**
   * `subject action` → how many. Each such write adds a line to the audit log, which is
   * append-only: none can hide another.
   */
  const audited = new Map<string, number>();
  const prices = new Map<string, { last: number; perhaps: Set<number> }>();
  const carts = new Map<string, Map<string, Item>>();
  /** A later response that contradicts an acknowledged write. */
  const broken: string[] = [];
  const twoSecrets: string[] = [];
  /** Responses that must never occur. */
  const astray: string[] = [];
  /**
   * How often a student asked for a paid seat again and was told that it is paid: the chances of a
   * double charge.
   */
  const anew = { times: 0, paidAlready: 0 };

  return {
    acknowledged: () => acknowledged,
    broken,
    twoSecrets,
    astray,
    anew,

    row(what: Kept, row: string): void {
      acknowledged += 1;
      kept[what].add(row);
    },

    audited(subject: string, action: string): void {
      acknowledged += 1;
      const key = `${subject} ${action}`;
      audited.set(key, (audited.get(key) ?? 0) + 1);
    },

    /**
     * One writer per class: the last acknowledged value holds, unless an unanswered write came
     * after it.
     */
    price(classId: string, cents: number, known: boolean): void {
      const entry = prices.get(classId) ?? { last: cents, perhaps: new Set() };
      if (known) entry.last = cents;
      else entry.perhaps.add(cents);
      prices.set(classId, entry);
    },

    item: (studentId: string, classId: string): Item =>
      carts.get(studentId)?.get(classId) ?? 'absent',
    /** Items that must be in the cart now. */
    items: (studentId: string) =>
      [...(carts.get(studentId) ?? [])].flatMap(([classId, item]): [string, { id: string }][] =>
        typeof item === 'object' ? [[classId, item]] : [],
      ),
    setItem(studentId: string, classId: string, item: Item, known: boolean): void {
      if (known) acknowledged += 1;
      const cart = carts.get(studentId) ?? new Map<string, Item>();
      cart.set(classId, item);
      carts.set(studentId, cart);
    },

    /** Any one item that must be in the database; for the control, which deletes it. */
    anItem(): string {
      for (const cart of carts.values())
        for (const item of cart.values()) if (typeof item === 'object') return item.id;
      throw new Error('no cart has an item');
    },

    /** One line for each acknowledged write that is not in the database. */
    async lost(pool: Pool): Promise<string[]> {
      const lines = [...broken];
      for (const [table, rows] of Object.entries(kept)) {
        const there = await column(pool, rowsOf[table as Kept]);
        for (const row of rows)
          if (!there.has(row)) lines.push(`${table} ${row}: acknowledged and not there`);
      }
      const { rows: logged } = await pool.query<{ key: string; n: number }>(
        `select subject || ' ' || action as key, count(*)::int as n from audit group by 1`,
      );
      const counts = new Map(logged.map(({ key, n }) => [key, n]));
      for (const [key, n] of audited)
        if ((counts.get(key) ?? 0) < n)
          lines.push(`${key}: ${n} acknowledged, ${counts.get(key) ?? 0} in the audit log`);
      const { rows: classes } = await pool.query<{ id: string; price_cents: number }>(
        'select id, price_cents from class',
      );
      for (const { id, price_cents: now } of classes) {
        const entry = prices.get(id);
        if (entry && entry.last !== now && !entry.perhaps.has(now))
          lines.push(`class ${id}: costs ${now}, acknowledged was ${entry.last}`);
      }
      return [...lines, ...(await lostItems(pool))];
    },
  };

  async function lostItems(pool: Pool): Promise<string[]> {
    const { rows } = await pool.query<{ pair: string; id: string }>(
      `select student_id || ' ' || class_id as pair, id from cart_item`,
    );
    const there = new Map(rows.map(({ pair, id }) => [pair, id]));
    const lines: string[] = [];
    for (const [studentId, cart] of carts) {
      for (const [classId, item] of cart) {
        const found = there.get(`${studentId} ${classId}`);
        if (typeof item === 'object' && found !== item.id)
          lines.push(`cart item ${item.id}: acknowledged and not there`);
        if (item === 'absent' && found)
          lines.push(`cart item ${found}: its removal was acknowledged`);
      }
    }
    return lines;
  }
}

async function column(pool: Pool, text: string): Promise<Set<string>> {
  const { rows } = await pool.query<{ row: string }>(text);
  return new Set(rows.map(({ row }) => row));
}
