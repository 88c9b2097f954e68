// A minimal load balancer that behaves as docs/operations.md asks: it asks every process whether it
// is ready, and sends requests only to ready ones. It repeats nothing, so that every dropped
// request is seen. For tests only.
import {
  Agent,
  createServer,
  type IncomingMessage,
  request as askFor,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inTheEnd } from '../../server/testing/processes.ts';

const looksEveryMs = 50;

interface Behind {
  origin: string;
  ready: boolean;
  agent: Agent;
}

export async function aBalancer() {
  const behind = new Map<string, Behind>();
  const dropped: string[] = [];
  const closing = new AbortController();
  let turn = 0;

  async function watch(one: Behind) {
    while (!closing.signal.aborted && behind.get(one.origin) === one) {
      one.ready = await fetch(`${one.origin}/api/ready`, {
        signal: AbortSignal.timeout(10_000),
      }).then(
        async (answer) => {
          await answer.arrayBuffer();
          return answer.ok;
        },
        () => false,
      );
      await sleep(looksEveryMs);
    }
    one.agent.destroy();
  }

  /** On a busy machine all processes may be unready for a moment; then requests wait in a queue. */
  async function choose(): Promise<Behind | undefined> {
    for (let round = 0; round < 400; round++) {
      const ready = [...behind.values()].filter((one) => one.ready);
      const chosen = ready[turn++ % ready.length];
      if (chosen) return chosen;
      await sleep(looksEveryMs);
    }
    return undefined;
  }

  const server = createServer((request, response) => {
    void choose().then((chosen) => handOn(request, response, chosen));
  });

  function handOn(request: IncomingMessage, response: ServerResponse, chosen: Behind | undefined) {
    const drop = (why: string) => {
      dropped.push(`${request.method} ${request.url}: ${why}`);
      if (response.headersSent) response.destroy();
      else response.writeHead(502).end();
    };
    if (!chosen) return drop('no process is ready');
    const { connection: _hop, ...headers } = request.headers;
    const options = { method: request.method, headers, agent: chosen.agent };
    const onward = askFor(chosen.origin + request.url, options, (answer) => {
      const { connection: _theirHop, ...answered } = answer.headers;
      response.writeHead(answer.statusCode ?? 502, answered);
      answer.on('error', (error) => drop(String(error))).pipe(response);
    });
    onward.on('error', (error) => drop(String(error)));
    request.pipe(onward);
  }
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const close = async () => {
    closing.abort();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  inTheEnd(close);
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    dropped,
    ready: () => [...behind.values()].filter((one) => one.ready).length,
    add(origin: string) {
      const one: Behind = { origin, ready: false, agent: new Agent({ keepAlive: true }) };
      behind.set(origin, one);
      void watch(one);
    },
    /** Of a process that has exited. */
    remove: (origin: string) => void behind.delete(origin),
  };
}
