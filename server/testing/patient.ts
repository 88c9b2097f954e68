/**
 * How an app of a test waits for its database: longer than one in use, since a busy machine may stand
 * still. It tries a transaction once: a deadlock breaks the order of docs/locking.md, and shall fail
 * the test.
 */
export const patient = { patience: 6, tries: 1 };
