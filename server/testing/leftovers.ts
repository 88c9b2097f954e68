// What a test file leaves behind and must be tidied up when it ends. All files of a worker share
// the modules (vitest.config.ts), so the hook is registered anew for each file: this is a setup
// file of Vitest. NOT for: what a test can tidy up with a hook of its own.
import { afterAll } from 'vitest';
import { tidyUp } from './tidy.ts';

afterAll(tidyUp);
