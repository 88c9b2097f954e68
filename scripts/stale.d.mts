// The types of stale.mjs, which must run before there is a TypeScript.
export function isStale(root: string): boolean;
export function fingerprint(root: string): string;
