import { describe, expect, it } from 'vitest';
import { extent } from '../../test/support/extent.ts';
import {
  buildBlock,
  type CallSpec,
  eventCall,
  someAddress,
  venueCall,
} from '../../test/support/transaction-builder.ts';
import { readGeyserBlock } from '../chain/geyser/geyser-protobuf.ts';
import { MalformedWire } from '../chain/malformed-wire.ts';
import { failingJournal, type Oddity } from '../kernel/journal.ts';
import { createSimulator } from '../simulator/simulator.ts';
import { deriveFacts } from './derive.ts';

const mint = someAddress();
const user = someAddress();
const timestamp = 1_770_000_000n;

const published = (event: CallSpec): CallSpec => venueCall('pump', 'set_creator', { creator: user }, {}, [event]);

describe('deriving', () => {
  it('takes the time of events when the block has none, and knows no neighbours without the whole block', () => {
    const event = eventCall('pump', 'SetCreatorEvent', { timestamp, mint, bondingCurve: someAddress(), creator: user });
    const block = buildBlock([{ signers: [user], calls: [published(event)] }], { blockTime: null, whole: false });
    const facts = deriveFacts(block, failingJournal);
    expect([facts.time, facts.creatorChanges[0]!.time]).toEqual([0, Number(timestamp)]);
  });

  it('passes over a transaction that makes no sense, and keeps the rest of its block', () => {
    const event = eventCall('pump', 'SetCreatorEvent', { timestamp, mint, bondingCurve: someAddress(), creator: user });
    const block = buildBlock([
      { signers: [user], calls: [] },
      { signers: [user], calls: [published(event)] },
    ]);
    const [first, second] = block.transactions;
    const broken = {
      ...first!,
      get tokenBalances(): never {
        throw new MalformedWire('cut off');
      },
    };
    const notes: Oddity[] = [];
    const facts = deriveFacts({ ...block, transactions: [broken, second!] }, { note: (oddity) => notes.push(oddity) });
    expect(notes).toMatchObject([{ code: 'malformed_transaction', detail: { blockIndex: 0 } }]);
    expect(facts.creatorChanges).toHaveLength(1);
  });

  it('gives the same of a block whatever was derived before it', () => {
    const simulator = createSimulator({ seed: 'order', sign: false });
    const wires = Array.from({ length: extent(15, 40) }, () => simulator.next().geyser());
    const factsOf = (wire: Uint8Array) => deriveFacts(readGeyserBlock(wire, failingJournal), failingJournal);
    const forwards = wires.map(factsOf);
    const backwards = wires.toReversed().map(factsOf).toReversed();
    expect(backwards).toEqual(forwards);
    expect(forwards.reduce((sum, { swaps }) => sum + swaps.length, 0)).toBeGreaterThan(extent(5, 20));
  });
});
