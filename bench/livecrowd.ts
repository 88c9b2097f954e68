// 2,000 open pages in a process of their own, so that what they read does not delay the load
// generator. Only for bench/live.ts.
import { get } from 'node:http';

const [count = '0', ...urls] = process.argv.slice(2);
let open = 0;
for (let n = 0; n < Number(count); n++) {
  get(`${urls[n % urls.length]}/api/live/seats`, { agent: false }, (response) => {
    if (response.statusCode !== 200) throw new Error(`refused with ${response.statusCode}`);
    response.resume();
    open++;
    if (open === Number(count)) console.log('crowd is open at http://127.0.0.1:0');
  });
}
process.on('SIGTERM', () => process.exit(0));
