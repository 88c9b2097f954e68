import type { Reads } from '../api/reads.ts';

export const reads: Reads = () => [];
export const Instructors = () => <h1>Instructors</h1>;
