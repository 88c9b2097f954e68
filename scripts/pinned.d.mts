// The types of pinned.mjs, which must run before there is a TypeScript.
export function pinnedNode(platform: string, arch: string): string | null;
export const leastNode: string;
export function isNewEnough(version: string): boolean;
