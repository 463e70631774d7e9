import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDial, type Dial, type DialTarget } from './dial.ts';
import { createSafeFetch, type FetchWish } from './safe-fetch.ts';

const file = (name: string) => readFileSync(new URL(`../../test/fixtures/tls/${name}`, import.meta.url), 'utf8');
const cert = file('server.crt');
const PUBLIC = '93.184.216.34';
const WISH: FetchWish = {
  accept: '*/*',
  acceptsType: () => true,
  maxBytes: 1_000,
  method: 'GET',
  signal: new AbortController().signal,
};

const names: (string | false | null | undefined)[] = [];
const server = createServer({ cert, key: file('server.key') }, (request, response) => {
  names.push((request.socket as { servername?: string | false | null }).servername);
  response.writeHead(200, { 'content-type': 'text/plain' }).end(`${request.headers.host}${request.url}`);
});
let port = 0;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => void server.close());

/** Brings what goes to a public address to the server on loopback, by the true dial. */
function leadTo(dial: Dial, changes: Partial<DialTarget>): Dial {
  return (target) => dial({ ...target, port, ...changes });
}

function fetchBy(dial: Dial, host: string) {
  const fetch = createSafeFetch({ gate: { inAll: 1, perSite: () => 1 }, resolve: async () => [PUBLIC], dial });
  return fetch(`https://${host}/a?b=1`, WISH);
}

const loopback = { addresses: ['127.0.0.1'] };
const warnings: unknown[] = [];
process.on('warning', ({ message }) => warnings.push(message));

describe('a connection', () => {
  it('goes to the address that it is given, whatever the name leads to, and names the host', async () => {
    const dial = leadTo(createDial(cert), { ...loopback, host: 'localhost' });
    const { status, body } = await fetchBy(dial, 'no-such-host.example.com');
    expect([status, body.toString(), names.at(-1)]).toEqual([200, 'no-such-host.example.com/a?b=1', 'localhost']);
  });

  it('to an address without a name is held by the certificate’s addresses', async () => {
    const dial = leadTo(createDial(cert), { ...loopback, host: '127.0.0.1' });
    expect((await fetchBy(dial, PUBLIC)).body.toString()).toBe(`${PUBLIC}/a?b=1`);
    expect(names.at(-1)).toBeFalsy();
  });

  it.each([
    ['of another host', () => createDial(cert)],
    ['of an authority that nobody knows', () => createDial()],
  ])('whose certificate is %s is given up', async (_what, open) => {
    const asked = names.length;
    const dial = leadTo(open(), loopback);
    await expect(fetchBy(dial, 'no-such-host.example.com')).rejects.toMatchObject({ kind: 'unreachable' });
    expect(names).toHaveLength(asked);
  });

  it('that has come to another address than those that were checked is cut', async () => {
    const asked = names.length;
    const dial = leadTo(createDial(cert), { host: '127.0.0.1', addresses: [PUBLIC] });
    await expect(fetchBy(dial, 'no-such-host.example.com')).rejects.toMatchObject({ name: 'FetchFault' });
    expect(names).toHaveLength(asked);
    // Of a server name that is an address.
    expect(warnings).toEqual([]);
  });

  it('to nowhere is given up', async () => {
    const dial = leadTo(createDial(cert), { addresses: [] });
    await expect(fetchBy(dial, 'no-such-host.example.com')).rejects.toMatchObject({ kind: 'unreachable' });
  });
});
