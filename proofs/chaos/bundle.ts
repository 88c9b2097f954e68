// The whole server in one file: the same code, which starts in half the time, and a server that is
// killed a hundred times starts a hundred times. What is changed in the tree meanwhile does not
// reach it. Not for: production, which needs no such hurry.
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';

const entry = join(import.meta.dirname, '../../server/main.ts');

/** Where it lies. */
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
    // Each file goes on finding its neighbours (migrations, the sandbox, packages) from where it
    // really stands.
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
