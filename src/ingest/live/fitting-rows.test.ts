import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extent } from '../../../test/support/extent.ts';
import { foldPositions } from '../../../test/support/fold-positions.ts';
import type { Address } from '../../chain/address.ts';
import type { Block } from '../../chain/block.ts';
import { readGeyserUpdate } from '../../chain/geyser/geyser-protobuf.ts';
import { MalformedWire } from '../../chain/malformed-wire.ts';
import { readRpcBlock } from '../../chain/rpc/rpc-json.ts';
import type { PositionState } from '../../facts/average-cost.ts';
import { deriveFacts } from '../../facts/derive.ts';
import type { BlockFacts, Swap } from '../../facts/fact.ts';
import { type Journal, type Oddity, silentJournal } from '../../kernel/journal.ts';
import { createSimulator } from '../../simulator/simulator.ts';
import { toRowBatch } from '../../store/clickhouse/schema/fact-rows.ts';
import { encodePositions } from '../../store/clickhouse/schema/position-rows.ts';
import { fitRows } from './fitting-rows.ts';

const simulator = createSimulator({ seed: 'fitting', sign: false });
const blocks = Array.from({ length: 6 }, () => simulator.next());
const U64 = 2n ** 64n - 1n;

const WIRES: Readonly<Record<string, (place: number, spoil: (message: object) => void) => Block | undefined>> = {
  yellowstone(place, spoil) {
    const message = SubscribeUpdate.decode(blocks[place]!.geyser());
    spoil(message);
    const bytes = encodable(message);
    if (bytes === undefined) return undefined;
    const update = readGeyserUpdate(bytes, silentJournal);
    return update.kind === 'block' ? update.block : undefined;
  },
  rpc(place, spoil) {
    const json = structuredClone(blocks[place]!.rpc('json'));
    spoil(json);
    return readRpcBlock(blocks[place]!.slot, json, silentJournal);
  },
};

describe.each(Object.entries(WIRES))('a block with any impossible value (%s)', (_wire, read) => {
  it('costs what the value is of, and never throws where rows are made of it', () => {
    fc.assert(
      fc.property(
        fc.nat(blocks.length - 1),
        fc.nat(),
        fc.array(impossible(), { minLength: 1, maxLength: 8 }),
        (...drawn) => {
          const [place, from, values] = drawn;
          const spoilAll = (message: object) => {
            for (const [at, value] of values.entries()) spoil(message, from + 7919 * at, value);
          };
          const block = blockOrNone(() => read(place, spoilAll));
          if (block === undefined) return;
          const fitted = fitRows(deriveFacts(block, silentJournal), silentJournal);
          if (fitted !== undefined) expect(() => toRowBatch(fitted.facts, [])).not.toThrow();
        },
      ),
      { numRuns: extent(60, 600) },
    );
  });
});

describe('rows of facts that do not fit', () => {
  const facts = deriveFacts(readRpcBlock(blocks[2]!.slot, blocks[2]!.rpc('json'), silentJournal), silentJournal);
  const [swap] = facts.swaps as [Swap, ...Swap[]];

  it('are left out alone, and noted with their slot', () => {
    const notes: Oddity[] = [];
    const wild = { ...swap, tokenAmount: U64 + 1n };
    const fitted = fitRows({ ...facts, swaps: [wild, ...facts.swaps] }, noting(notes));
    expect(fitted?.facts).toEqual(facts);
    expect(fitted?.batch).toEqual(toRowBatch(facts, []));
    expect(notes).toMatchObject([{ code: 'value_out_of_range', subject: 'rows', detail: { slot: facts.slot } }]);
  });

  it('leave the block out when the row that does not fit is its own', () => {
    const notes: Oddity[] = [];
    const rich: BlockFacts = { ...facts, economics: { ...facts.economics, fees: U64 + 1n } };
    expect(fitRows(rich, noting(notes))).toBeUndefined();
    expect(notes).toMatchObject([{ code: 'value_out_of_range' }]);
  });

  it('are none where a token has as many units as a trade can tell: positions stay at their bounds', () => {
    const positions = new Map<string, PositionState>();
    const at = (ixIndex: number, isBuy: boolean) => ({
      ...swap,
      ixIndex,
      isBuy,
      tokenAmount: U64,
      quoteAmount: U64,
      protocolActor: false,
    });
    const held = () => [...positions.values()][0]!;
    foldPositions(positions, [at(1, true), at(2, true)]);
    expect(() => encodePositions([held()])).not.toThrow();
    expect(held()).toMatchObject({ tokensBought: U64, quoteInvested: U64, basis: U64, basisTokens: U64 });
    foldPositions(positions, [at(3, false), at(4, false), at(5, false)]);
    expect(() => encodePositions([held()])).not.toThrow();
    expect(held()).toMatchObject({ tokensSold: U64, quoteReceived: U64, basis: 0n, basisTokens: 0n });
    const seller = { ...swap, trader: swap.mint as Address, isBuy: false, tokenAmount: U64, protocolActor: false };
    foldPositions(positions, [seller]);
    expect(() => encodePositions([...positions.values()])).not.toThrow();
  });
});

function impossible() {
  return fc.constantFrom<number | bigint>(-1, 0.5, 256, 65_536, 2 ** 32, 2 ** 40, 2 ** 53, 2n ** 63n, U64, U64 + 1n);
}

/** Writes the value into one of the message's leaves, in the form that the leaf has. */
function spoil(message: object, which: number, value: number | bigint): void {
  const leaves: { readonly holder: Record<string, unknown>; readonly key: string }[] = [];
  const walk = (holder: Record<string, unknown>): void => {
    for (const [key, each] of Object.entries(holder)) {
      if (each instanceof Uint8Array || (each !== null && typeof each !== 'object')) leaves.push({ holder, key });
      else if (each !== null && typeof each === 'object' && !(each instanceof Date)) walk(each as typeof holder);
    }
  };
  walk(message as Record<string, unknown>);
  const { holder, key } = leaves[which % leaves.length]!;
  const leaf = holder[key];
  if (leaf instanceof Uint8Array) leaf.fill(0xff, which % (leaf.length + 1), (which % (leaf.length + 1)) + 8);
  else if (typeof leaf === 'string') holder[key] = /^\d+$/.test(leaf) ? String(value) : leaf.slice(0, which % 9);
  else if (typeof leaf === 'number') holder[key] = typeof value === 'bigint' ? Number(value) : value;
}

/** Reads a block, or undefined for a message that no reader takes, which is not tested here. */
function blockOrNone(read: () => Block | undefined): Block | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof MalformedWire) return undefined;
    throw error;
  }
}

/** Undefined for a value that the wire has no form for. */
function encodable(message: SubscribeUpdate): Uint8Array | undefined {
  try {
    return SubscribeUpdate.encode(message).finish();
  } catch {
    return undefined;
  }
}

function noting(notes: Oddity[]): Journal {
  return { note: (oddity) => void notes.push(oddity) };
}
