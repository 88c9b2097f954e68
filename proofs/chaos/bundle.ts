// The whole server bundled into one file: the same code, which starts in half the time, because a
// server that is killed a hundred times starts a hundred times. Changes in the tree meanwhile do
// not reach it.
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

const entry = join(import.meta.dirname, '../../server/main.ts');

/** Its path. */
export async function bundleServer(outDir: string): Promise<string> {
  await build({
    configFile: false,
    publicDir: false,
    logLevel: 'error',
    ssr: { noExternal: true, external: ['vite', 'pg-native'] },
    build: {
      ssr: entry,
      outDir,
      minify: false,
      target: 'node24',
      rolldownOptions: { output: { entryFileNames: 'main.mjs' } },
    },
    // Each file finds its neighbours (migrations, the sandbox, packages) from its real path.
    plugins: [
      {
        name: 'places',
        enforce: 'pre',
        transform: (code, id) =>
          code.includes('import.meta.')
            ? code
                .replaceAll('import.meta.dirname', JSON.stringify(dirname(id)))
                .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href))
                .replaceAll('import.meta.main', String(id === entry))
            : null,
      },
    ],
  });
  return join(outDir, 'main.mjs');
}
