import type { Reads } from '../api/reads.ts';

export const reads: Reads = () => [];
export const OneClass = () => <h1>OneClass</h1>;
