import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { describe, expect, it } from 'vitest';
import type { Journal, Oddity } from '../kernel/journal.ts';
import type { Block } from './block.ts';
import { readGeyserBlock, readGeyserUpdate } from './geyser/geyser-protobuf.ts';
import { MalformedWire } from './malformed-wire.ts';
import { parseRpcJson, readRpcBlock } from './rpc/rpc-json.ts';

/** A block of slot 42 whose time is told in these decimal digits. */
const WIRES: Readonly<Record<string, (time: string, journal: Journal) => Block>> = {
  yellowstone: (timestamp, journal) =>
    readGeyserBlock(
      encode({ block: { slot: '42', parentSlot: '41', blockhash: 'hash', blockTime: { timestamp } } }),
      journal,
    ),
  rpc: (time, journal) =>
    readRpcBlock(
      42,
      parseRpcJson(`{"blockhash":"hash","parentSlot":41,"blockTime":${time},"transactions":[]}`),
      journal,
    ),
};

describe.each(Object.entries(WIRES))('the time of a block (%s)', (_wire, read) => {
  it.each(['4294967296', '99999999999999', '-1', '9223372036854775807'])(
    'costs nothing but itself when it is %s',
    (time) => {
      const oddities: Oddity[] = [];
      const block = read(time, { note: (oddity) => void oddities.push(oddity) });
      expect(block).toMatchObject({ slot: 42, blockTime: null });
      expect(oddities).toMatchObject([{ code: 'value_out_of_range', detail: { slot: 42 } }]);
    },
  );

  it('is taken up to the last second that has a number', () => {
    const note = (oddity: Oddity) => expect.unreachable(oddity.code);
    expect(read('4294967295', { note }).blockTime).toBe(4_294_967_295);
    expect(read('1790000000', { note }).blockTime).toBe(1_790_000_000);
  });
});

describe('a slot that no store has room for', () => {
  it.each([
    { block: { slot: '4294967296', parentSlot: '41', blockhash: 'hash' } },
    { block: { slot: '42', parentSlot: '4294967296', blockhash: 'hash' } },
    { block: { slot: '42', parentSlot: '41', blockhash: 'hash', executedTransactionCount: '4294967296' } },
    { slot: { slot: '4294967296', status: 1 } },
    { slot: { slot: '42', parent: '4294967296', status: 1 } },
  ])('costs its update: %j', (update) => {
    expect(() => readGeyserUpdate(encode(update), { note: () => {} })).toThrow(MalformedWire);
  });
});

function encode(update: object): Uint8Array {
  return SubscribeUpdate.encode(SubscribeUpdate.fromPartial(update as Partial<SubscribeUpdate>)).finish();
}
