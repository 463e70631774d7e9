import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { blockUpdate, status } from '../../test/support/geyser-server.ts';
import { serve, sourceOf, take } from '../../test/support/yellowstone.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { WINDOW_BYTES } from './yellowstone-stream.ts';
import { MAX_BUFFERED_BYTES } from './yellowstone-updates.ts';

const TLS = fileURLToPath(new URL('../../test/fixtures/tls/', import.meta.url));

describe('a server that proves who it is', () => {
  const identity = { key: readFileSync(`${TLS}server.key`), certificate: readFileSync(`${TLS}server.crt`) };

  it('is read when the authority is ours, and an address is not told as its name', async () => {
    const warnings: string[] = [];
    const hear = ({ message }: Error) => void warnings.push(message);
    process.on('warning', hear);
    const url = await serve(({ send }) => send(blockUpdate(1)), identity);
    expect(url).toMatch(/^https:/);
    expect(await take(url, 1, 1, { caFile: `${TLS}server.crt` })).toEqual([1]);
    process.off('warning', hear);
    expect(warnings.filter((text) => text.includes('ServerName'))).toEqual([]);
  });

  it('is refused when the authority is unknown, and an authority that cannot be read ends it', async () => {
    let connections = 0;
    const url = await serve(() => {
      connections += 1;
    }, identity);
    const warnings: unknown[] = [];
    const controller = new AbortController();
    const log = {
      ...silentLogger,
      warn: (fields: object) => {
        warnings.push(fields);
        controller.abort();
      },
    };
    const { signal } = controller;
    for await (const step of sourceOf(url, { log }).steps({ fromSlot: 1, signal })) throw new Error(step.kind);
    expect(warnings).toEqual([{ status: status.UNAVAILABLE, error: expect.stringMatching(/certificate/) }]);
    expect(connections).toBe(0);
    await expect(take(url, 1, 1, { caFile: `${TLS}nothing.crt` })).rejects.toMatchObject({ code: 'ENOENT' });
  });
});

describe('back-pressure', () => {
  it('stops the server when so many bytes wait, and loses nothing', async () => {
    const BLOCKS = 40;
    const PADDING_BYTES = 4 * 1024 * 1024;
    // Field 1000, bytes: readers skip it, but it fills the stream.
    const padding = Buffer.concat([Buffer.from([0xc2, 0x3e, 0x80, 0x80, 0x80, 0x02]), new Uint8Array(PADDING_BYTES)]);
    let sent = 0;
    const url = await serve(async ({ send, drained }) => {
      for (let slot = 1; slot <= BLOCKS; slot += 1) {
        if (!send(Buffer.concat([blockUpdate(slot), padding]))) await drained();
        sent = slot;
      }
    });
    const source = sourceOf(url);
    const slots: number[] = [];
    const controller = new AbortController();
    for await (const step of source.steps({ fromSlot: 1, signal: controller.signal })) {
      if (step.kind !== 'block') continue;
      if (slots.length === 0) {
        await untilStill(() => sent);
        // One was taken, and the one that fills the buffer may go beyond its bound.
        const most = Math.ceil(MAX_BUFFERED_BYTES / PADDING_BYTES) + 1;
        // Messages that fit the window, and sixteen that the server's own stream holds.
        expect(sent).toBeLessThanOrEqual(most + WINDOW_BYTES / PADDING_BYTES + 17);
        expect(sent).toBeLessThan(BLOCKS);
      }
      slots.push(step.block.slot);
      if (slots.length === BLOCKS) controller.abort();
    }
    expect(slots).toEqual(Array.from({ length: BLOCKS }, (_, place) => place + 1));
  });
});

async function untilStill(value: () => number): Promise<void> {
  for (let last = -1; last !== value(); ) {
    last = value();
    await systemClock.sleep(300);
  }
}
