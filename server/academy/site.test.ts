// What an admin writes is shown to every visitor: nothing in it becomes markup or a script.
import { expect, it } from 'vitest';
import { htmlOf } from './site.ts';

it('is headings below that of the page, lists and links', () => {
  expect(htmlOf('# Terms\n\n- **one**\n- [two](https://a.example/)')).toBe(
    '<h2>Terms</h2>\n<ul>\n<li><strong>one</strong></li>\n<li><a href="https://a.example/">two</a></li>\n</ul>\n',
  );
});

it.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '[x](javascript:alert(1))',
  '[x](JaVaScRiPt&colon;alert(1))',
  '[x](  javascript:alert(1))',
  '[x](data:text/html;base64,PHNjcmlwdD4=)',
  '[x](vbscript:x)',
  '[x](//evil.example)',
  '[x](/\\evil.example)',
  '[x](http://plain.example)',
  '<javascript:alert(1)>',
  '![x](https://a.example/track.png)',
  '[x]: javascript:alert(1)\n\n[x]',
  '[a](https://a.example "x\\" onclick=\\"alert(1)")',
  '<style>*{display:none}</style>',
  '<a href="https://a.example" onclick="alert(1)">x</a>',
  '`<b>`',
  '| a |\n|---|\n| <i>b</i> |',
])('leaves %j as text', (text) => {
  const html = htmlOf(text);
  const allowed =
    /^(<\/?(p|h[2-6]|ul|ol|li|strong|em|code|pre|blockquote|hr|br|s|table|thead|tbody|tr|th|td)( \/)?>|<a href="(https:\/\/|mailto:|tel:|\/(?!\/)|#)[^"<>]*"( title="[^"<>]*")?>|<\/a>|[^<])*$/;
  expect(html).toMatch(allowed);
  expect(html).not.toMatch(/href="[^"]*(script|data):/i);
});
