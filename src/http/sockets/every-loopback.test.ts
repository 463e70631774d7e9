import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import Fastify from 'fastify';
import { expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { everyLoopback } from './every-loopback.ts';

const FIRST = '127.0.0.1';
/** As `localhost` may name two. */
const SECOND = '127.0.0.2';
const REQUEST = 'GET /late HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';

it('closing the app stops listening on the other loopback at once, and waits for the answers under way there', async () => {
  const app = Fastify({ forceCloseConnections: 'idle' });
  const answers: ((answer: string) => void)[] = [];
  app.get('/late', () => new Promise<string>((resolve) => answers.push(resolve)));
  const listenOnOthers = everyLoopback(app, async () => [FIRST, SECOND]);
  await app.listen({ host: FIRST, port: 0 });
  await listenOnOthers();
  const { port } = app.server.address() as AddressInfo;
  // The first loopback has one under way too, so that the app's own server is open all along.
  const sockets = [FIRST, SECOND].map((host) => connect({ host, port }, () => {}));
  for (const socket of sockets) socket.write(REQUEST);
  await eventually(() => expect(answers).toHaveLength(2));
  let isClosed = false;
  const closing = app.close().then(() => {
    isClosed = true;
  });
  await eventually(() => expect(app.server.listening).toBe(false));
  const late = connect({ host: SECOND, port });
  const [refusal] = (await once(late, 'error')) as [NodeJS.ErrnoException];
  expect([refusal.code, isClosed]).toEqual(['ECONNREFUSED', false]);
  for (const answer of answers) answer('at last');
  for (const socket of sockets) expect(await text(socket)).toContain('at last');
  await closing;
});

it('leaves out what cannot be listened on', async () => {
  const app = Fastify();
  const listenOnOthers = everyLoopback(app, async () => [FIRST, '192.0.2.1']);
  await app.listen({ host: FIRST, port: 0 });
  await listenOnOthers();
  expect(app.server.listening).toBe(true);
  await app.close();
});
