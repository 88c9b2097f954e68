// The HTML around the app: head, the script that runs before the first paint, the state handed
// over, the files to load.
import type { DehydratedState } from '@tanstack/react-query';
import type { Answer } from '../../contract/platform/call.ts';
import { escapeHtml as escape } from '../../contract/platform/rules.ts';
import type { settings as settingsCall } from '../../contract/platform/settings.ts';
import { colourCss } from '../platform/api/colours.ts';
import type { Head } from '../platform/ui/head.tsx';

export interface Assets {
  scripts: string[];
  preloads: string[];
  /** The text's font: wanted before the stylesheet names it. */
  fonts: string[];
  /** The stylesheet is part of the page: nothing is painted before it is there. */
  css: string;
  /** Development only: the stylesheet by its address, and what runs before the scripts. */
  styles?: string[];
  preamble?: string;
}

interface Parts {
  head: Head;
  /** Development only; the policy of other pages names the hashes of what is inline. */
  nonce?: string | undefined;
  body: string;
  path: string;
  state: DehydratedState;
  settings: Answer<typeof settingsCall>;
  assets: Assets;
  /** False for frames and empty shells, which wait for their scripts. */
  complete: boolean;
}

export interface Document {
  html: string;
  /** What is written into the page, for the Content-Security-Policy. */
  inline: { scripts: string[]; styles: string[] };
}

// Before anything is painted: the theme, and whether a user seems to be signed in (styles.css
// shows the right navbar).
const beforePaint = `(function(d){try{var t=localStorage.getItem('theme');
if(t!=='dark'&&t!=='light')t=matchMedia('(prefers-color-scheme: dark)').matches?'dark':'light';
d.dataset.theme=t;d.dataset.auth=localStorage.getItem('access-token')?'in':'out';
if(localStorage.getItem('fonts'))delete d.dataset.fonts}catch(e){d.dataset.theme='light'}})(document.documentElement)`;

// Runs at the end of the page. The scripts of a complete page start after the first paint, so that
// they take nothing from what is seen first. A tab in the background waits until it is shown. The
// scripts of a frame start at once. Those of every page are asked for first: a browser loads six files
// at a time. What is clicked before they have started is kept for them (main.tsx).
const startScripts = ({ scripts, preloads }: Assets, complete: boolean) =>
  `(function(n){function keep(e){var b=e.target.closest('button[type=button]');if(b)keep.last=b}
addEventListener('click',keep,true);window.clickedEarly=function(){removeEventListener('click',keep,true);return keep.last};
function add(tag,set){var e=document.createElement(tag);e.nonce=n;document.head.append(Object.assign(e,set))}
function start(){
${JSON.stringify(scripts)}.forEach(function(s){add('script',{type:'module',src:s})});
${JSON.stringify(preloads)}.forEach(function(h){add('link',{rel:'modulepreload',href:h})})}
${complete ? 'requestAnimationFrame(function(){setTimeout(start)})' : 'start()'}})(document.currentScript.nonce)`;

/** On a phone the font waits for the page and its first picture: the line is slow (decision 60). */
const wide = '(min-width: 40rem)';

export function document(parts: Parts): Document {
  const { head, nonce, body, path, state, settings, assets, complete } = parts;
  const { content, preloads } = liftPreloads(body);
  const title = `${settings.brand} | ${head.title}`;
  const description = head.description ?? `Sports classes at ${settings.brand}.`;
  const address = settings.publicUrl + (head.canonical ?? path);
  const image = head.image ?? '/media/social/preview.jpg';
  const start = startScripts(assets, complete);
  const colours = colourCss(settings);
  const styles = colours ? [assets.css, colours] : [assets.css];
  const allowed = nonce ? ` nonce="${nonce}"` : '';
  const html = `<!doctype html>
<html lang="en"${complete ? '' : ' data-fonts="late"'}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(title)}</title>
<meta name="description" content="${escape(description)}">
${head.hidden ? '<meta name="robots" content="noindex">' : ''}
<link rel="canonical" href="${escape(address)}">
${nonce ? `<meta property="csp-nonce"${allowed}>` : ''}
<meta name="color-scheme" content="light dark">
<meta name="theme-color" content="${escape(settings.primary ?? '#0b5d4e')}">
<meta property="og:type" content="website">
<meta property="og:site_name" content="${escape(settings.brand)}">
<meta property="og:title" content="${escape(title)}">
<meta property="og:description" content="${escape(description)}">
<meta property="og:url" content="${escape(address)}">
<meta property="og:image" content="${escape(new URL(image, settings.publicUrl).href)}">
<meta name="twitter:card" content="summary_large_image">
${settings.icon ? `<link rel="icon" href="${escape(small(settings.icon))}">` : '<link rel="icon" href="/icon.svg" type="image/svg+xml">'}
<link rel="apple-touch-icon" href="${escape(settings.icon ?? '/media/icon/maskable.png')}">
<link rel="manifest" href="/manifest.webmanifest">
<script${allowed}>${beforePaint}</script>
${preloads}
${(complete ? assets.fonts : []).map((href) => `<link rel="preload" as="font" type="font/woff2" href="${href}" media="${wide}" crossorigin>`).join('')}
${styles.map((css) => `<style${allowed}>${css}</style>`).join('\n')}
${(assets.styles ?? []).map((href) => `<link rel="stylesheet" href="${href}"${allowed}>`).join('')}
${head.data ? `<script type="application/ld+json">${inline(head.data)}</script>` : ''}
</head>
<body>
<div id="root">${content}</div>
<noscript>${body ? '' : 'This part of the site needs JavaScript.'}</noscript>
<script type="application/json" id="state">${inline(state)}</script>
${assets.preamble ? `<script type="module"${allowed}>${assets.preamble}</script>` : ''}
<script${allowed}>${start}</script>
</body>
</html>
`;
  return { html, inline: { scripts: [beforePaint, start], styles } };
}

/** Of an uploaded picture, whose address names its largest width, the smallest. */
const small = (address: string) =>
  address.replace(
    /^(\/media\/[\da-f]{64}\/)\d+\.webp$/,
    (_all, folder: string) => `${folder}96.webp`,
  );

/** React puts the preloads of eager pictures before the content; they belong into the head. */
function liftPreloads(body: string) {
  const preloads = /^(?:<link rel="preload"[^>]*>)*/.exec(body)?.[0] ?? '';
  return { content: body.slice(preloads.length), preloads };
}

/** JSON inside a script: no end tag, no comment, no line separator can come out of user text. */
const inline = (value: object) =>
  JSON.stringify(value).replace(
    /[<>\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
