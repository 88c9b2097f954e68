import type { Reads } from '../api/reads.ts';

export const reads: Reads = () => [];
export const Home = () => <h1>Home</h1>;
