// What a person who opens a page sees when there is no page. When the server is busy or the
// database is away, it loads itself again; after a fault of ours it does not.

interface Said {
  message: string;
  /** After so many seconds the page is asked for again; null: only by its reader. */
  seconds: number | null;
  nonce: string;
}

/** `message` is one of our own, and has no markup. */
export function errorPage({ message, seconds, nonce }: Said): string {
  const title = seconds === null ? 'This page did not load' : 'One moment, please';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
${seconds === null ? '' : `<meta http-equiv="refresh" content="${seconds}">`}
<title>${title}</title>
<style nonce="${nonce}">
:root { color-scheme: light dark; }
body {
  display: grid; align-content: center; justify-items: start; gap: 1rem; box-sizing: border-box;
  min-height: 100vh; max-width: 34rem; margin: 0 auto; padding: 1.5rem;
  font: 1.125rem/1.5 Figtree, system-ui, sans-serif;
  color: light-dark(#14213d, #eaf2ec); background: light-dark(#f6f1e6, #0a1311);
}
h1, p { margin: 0; }
h1 { font-size: 2rem; line-height: 1.15; }
a {
  padding: 0.75rem 1.25rem; border-radius: 0.75rem; font-weight: 650; text-decoration: none;
  color: light-dark(#fff, #0a1311); background: light-dark(#0b5d4e, #5eead4);
}
</style>
</head>
<body>
<h1>${title}</h1>
<p>${message}</p>
${seconds === null ? '' : `<p>This page reloads in ${seconds} seconds.</p>`}
<a href="">Try again now</a>
</body>
</html>
`;
}
