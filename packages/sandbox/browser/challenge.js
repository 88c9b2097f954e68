// The challenge page: passes or fails the authentication and tells the page around it that it is
// over. That page reads the state of the payment on its own.
const query = new URLSearchParams(location.search);
const id = query.get('id');
const problem = document.querySelector('#problem');
const buttons = [...document.querySelectorAll('button')];
document.documentElement.classList.toggle('dark', query.get('theme') === 'dark');

const say = (type, data = {}) =>
  window.parent.postMessage({ ...data, sandbox: id, type }, location.origin);

let answering = false;
async function answer(outcome) {
  if (answering) return;
  answering = true;
  for (const button of buttons) button.disabled = true;
  try {
    await fetch('/sandbox/challenge', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        payment_intent: query.get('payment_intent'),
        source: query.get('source'),
        outcome,
      }),
      credentials: 'omit',
    });
    // Also when it was refused: then the challenge is over, or was never open.
    say('done');
  } catch {
    problem.textContent = 'The bank could not be reached. Please try again.';
    answering = false;
    for (const button of buttons) button.disabled = false;
    buttons[0].focus();
  }
}

for (const button of buttons)
  button.addEventListener('click', () => void answer(button.dataset.outcome));
document.addEventListener('keydown', (event) => {
  if (event.key === 'Escape') void answer('fail');
});
window.addEventListener('message', (event) => {
  if (
    event.origin !== location.origin ||
    event.source !== window.parent ||
    event.data?.sandbox !== id
  )
    return;
  if (event.data.type === 'cancel') void answer('fail');
});

new ResizeObserver(() =>
  say('height', { height: Math.ceil(document.documentElement.getBoundingClientRect().height) }),
).observe(document.body);
window.focus();
buttons[0].focus();
