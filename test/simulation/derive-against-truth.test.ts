import { describe, expect, it } from 'vitest';
import type { Block } from '../../src/chain/block.ts';
import { readGeyserBlock } from '../../src/chain/geyser-protobuf.ts';
import { readRpcBlock } from '../../src/chain/rpc-json.ts';
import { deriveFacts } from '../../src/facts/derive.ts';
import { failingJournal } from '../../src/kernel/journal.ts';
import { LOADS } from '../../src/simulator/load.ts';
import { createSimulator, type SimulatedBlock } from '../../src/simulator/simulator.ts';
import type { Sight } from '../../src/simulator/truth.ts';
import { factsDifference } from './facts-difference.ts';

/** Simulated seconds are cheap: a minute of chain for each seed and encoding. */
const BLOCKS = 300;
const SEEDS = ['one', 'two', 'three'];
/** Equity swaps have no event: they are told by balances alone, which facts do not derive yet. */
const LOAD = { ...LOADS.desk, equitySwaps: 0 };

interface View {
  readonly name: string;
  readonly sight: Sight;
  read(block: SimulatedBlock): Block;
}

const VIEWS: readonly View[] = [
  { name: 'Yellowstone protobuf', sight: 'decoded', read: (block) => readGeyserBlock(block.geyser(), failingJournal) },
  { name: 'JSON', sight: 'decoded', read: (block) => readRpcBlock(block.slot, block.rpc('json'), failingJournal) },
  {
    name: 'base64 JSON',
    sight: 'wire',
    read: (block) => readRpcBlock(block.slot, block.rpc('base64'), failingJournal),
  },
  {
    name: 'parsed JSON',
    sight: 'decoded',
    read: (block) => readRpcBlock(block.slot, block.rpc('jsonParsed'), failingJournal),
  },
];

describe('deriveFacts over simulated blocks', () => {
  for (const { name, read, sight } of VIEWS) {
    it.each(SEEDS)(`from ${name} equals the truth, row for row (seed %s)`, (seed) => {
      const simulator = createSimulator({ seed, load: LOAD, sign: false });
      for (let count = 0; count < BLOCKS; count++) {
        const block = simulator.next();
        const derived = deriveFacts(read(block), failingJournal);
        expect(factsDifference(derived, block.truth.facts(sight))).toBeUndefined();
      }
    });
  }
});
