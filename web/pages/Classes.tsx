import type { Reads } from '../api/reads.ts';

export const reads: Reads = () => [];
export const Classes = () => <h1>Classes</h1>;
