// Shows the challenge over the host page. Part of /sandbox/stripe.js.
import { dress, listen, makeFrame, nextName, source } from './wire.js';

/** Whether the host page is dark, so that the challenge does not dazzle. */
function isDark() {
  const scheme = getComputedStyle(document.documentElement).colorScheme;
  if (/dark/.test(scheme) !== /light/.test(scheme)) return /dark/.test(scheme);
  return document.documentElement.dataset.theme === 'dark';
}

/** Shows the challenge until the person has passed or failed it. */
export function showChallenge(path) {
  const name = nextName('challenge_');
  const url = new URL(path, source);
  url.searchParams.set('id', name);
  if (isDark()) url.searchParams.set('theme', 'dark');
  const dialog = document.createElement('dialog');
  dialog.setAttribute('aria-label', 'Card authentication');
  dress(dialog, {
    position: 'fixed',
    inset: '0',
    width: '100%',
    height: '100%',
    maxWidth: 'none',
    maxHeight: 'none',
    margin: '0',
    padding: '16px',
    boxSizing: 'border-box',
    border: '0',
    display: 'flex',
    alignItems: 'center',
    justifyContent: 'center',
    background: 'rgb(15 23 42 / 0.65)',
  });
  const frame = makeFrame(url.href, 'Card authentication', {
    maxWidth: '26rem',
    height: '24rem',
    maxHeight: '100%',
    borderRadius: '16px',
    background: isDark() ? '#1e293b' : '#ffffff',
    boxShadow: '0 24px 60px rgb(0 0 0 / 0.35)',
  });
  dialog.append(frame);
  return new Promise((resolve) => {
    const line = listen(frame, name, ({ type, height }) => {
      if (type === 'height' && height > 0) dress(frame, { height: `${height}px` });
      if (type !== 'done') return;
      line.stop();
      dialog.close();
      dialog.remove();
      resolve();
    });
    dialog.addEventListener('cancel', (event) => {
      event.preventDefault();
      line.say('cancel');
    });
    document.body.append(dialog);
    dialog.showModal();
    frame.focus();
  });
}
