// Runs the cleanup of a test file when it ends. All files of a worker share the modules
// (vitest.config.ts), so this Vitest setup file registers the hook again for each file.
import { afterAll } from 'vitest';
import { tidyUp } from './tidy.ts';

afterAll(tidyUp);
