import { type AddressInfo, connect, createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../test/support/eventually.ts';
import { COLLECTOR_LIMITS } from './collector.ts';
import { DEFAULT_GATEWAYS } from './gateways.ts';
import { IMAGE_LIMITS } from './image-places.ts';
import { networkOutside } from './metadata.ts';
import { readUri, resourceUrls } from './token-uri.ts';

const PUBLIC = '93.184.216.34';
/** A host that never answers. */
const server = createServer((socket) => socket.on('error', () => {}));

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => void server.close());

const content = (index: number) => `Qm${String(index).padStart(44, 'a').replaceAll('0', 'z')}`;

describe('the network', () => {
  it('has places for every worker while as many images are raced for as may be', async () => {
    const dialled: string[] = [];
    const { documents, images } = networkOutside(DEFAULT_GATEWAYS, {
      resolve: async () => [PUBLIC],
      dial: ({ host }) => {
        dialled.push(host);
        return connect((server.address() as AddressInfo).port, '127.0.0.1');
      },
    });
    const stop = new AbortController();
    const under: Promise<unknown>[] = [];
    for (let race = 0; race < IMAGE_LIMITS.racing; race += 1) {
      const urls = resourceUrls(readUri(content(race))!, DEFAULT_GATEWAYS).slice(0, IMAGE_LIMITS.gateways);
      for (const url of urls) under.push(images.confirm(url, stop.signal));
    }
    const read = (uri: string) => under.push(documents!.read(uri, readUri(uri)!, stop.signal));
    for (let job = 0; job < COLLECTOR_LIMITS.underWay.gateways; job += 1) read(content(100 + job));
    for (let job = 0; job < COLLECTOR_LIMITS.underWay.strangers; job += 1) read(`https://host${job}.com/a.json`);
    const races = IMAGE_LIMITS.racing * IMAGE_LIMITS.gateways;
    const all = races + COLLECTOR_LIMITS.underWay.gateways + COLLECTOR_LIMITS.underWay.strangers;
    await eventually(() => expect(dialled).toHaveLength(all));
    stop.abort();
    await Promise.allSettled(under);
  });
});
