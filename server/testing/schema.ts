// The row types as kysely-codegen reads them from a database.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const codegen = join(import.meta.dirname, '../../node_modules/kysely-codegen/dist/cli/bin.js');

export async function writeSchema(url: string, file: string): Promise<void> {
  await promisify(execFile)(process.execPath, [
    codegen,
    '--dialect=postgres',
    '--camel-case',
    '--type-only-imports',
    '--default-schema=public',
    '--include-pattern=public.*',
    '--exclude-pattern=public.kysely_*',
    '--numeric-parser=number',
    `--url=${url}`,
    `--out-file=${file}`,
  ]);
}
