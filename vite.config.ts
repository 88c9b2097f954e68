// How the web app is built: once for the browser (dist/client, with a manifest) and once for the server (dist/server).
import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vite';

export default defineConfig(({ isSsrBuild }) => ({
  plugins: [react(), tailwindcss()],
  appType: 'custom',
  publicDir: 'web/public',
  build: {
    outDir: isSsrBuild ? 'dist/server' : 'dist/client',
    emptyOutDir: true,
    copyPublicDir: !isSsrBuild,
    manifest: !isSsrBuild,
    target: 'es2022',
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    ...(!isSsrBuild && { rolldownOptions: { input: 'web/main.tsx' } }),
  },
}));
