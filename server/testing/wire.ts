// A TCP proxy that can be cut, restored and slowed down.
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** `open` connects to the target. It is called for each connection. */
async function wireTo(open: () => Socket) {
  const sockets = new Set<Socket>();
  let cut = false;
  let lagMs = 0;
  /** Delayed data keeps its order. */
  const carry = (from: Socket, to: Socket) => {
    let waiting = 0;
    let due = 0;
    from.on('data', (chunk) => {
      if (lagMs === 0 && waiting === 0) {
        to.write(chunk);
        return;
      }
      waiting += 1;
      due = Math.max(due, performance.now() + lagMs);
      setTimeout(
        () => {
          waiting -= 1;
          to.write(chunk);
        },
        Math.max(0, due - performance.now()),
      );
    });
    from.on('end', () =>
      setTimeout(() => to.end(), waiting === 0 ? 0 : Math.max(1, due - performance.now() + 1)),
    );
  };
  const server = createServer((near) => {
    const far = open();
    for (const socket of [near, far]) {
      sockets.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          sockets.delete(socket);
          [near, far].forEach((end) => end.destroy());
        });
    }
    carry(near, far);
    carry(far, near);
    if (cut) near.destroy();
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    port: (server.address() as AddressInfo).port,
    /** Closes all connections and refuses new ones until it is restored. */
    cut: () => {
      cut = true;
      sockets.forEach((socket) => socket.destroy());
      sockets.clear();
    },
    mend: () => {
      cut = false;
      lagMs = 0;
    },
    /** Delays all data by this time, in both directions. */
    slow: (ms: number) => {
      lagMs = ms;
    },
    close: () =>
      new Promise((closed) => {
        server.close(closed);
        sockets.forEach((socket) => socket.destroy());
      }),
  };
}

/** A socket to the server of a database URL. */
export function connectTo(url: string): Socket {
  const target = new URL(url);
  const folder = target.searchParams.get('host');
  const port = Number(target.port || 5_432);
  return folder ? connect(`${folder}/.s.PGSQL.${port}`) : connect(port, target.hostname);
}

/** A proxy to the database. */
export async function aWire(url: string) {
  const target = new URL(url);
  const wire = await wireTo(() => connectTo(url));
  target.searchParams.delete('host');
  target.hostname = '127.0.0.1';
  target.port = String(wire.port);
  return { ...wire, url: target.href };
}
