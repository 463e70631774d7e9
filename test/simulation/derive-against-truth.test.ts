import { describe, expect, it } from 'vitest';
import type { Block } from '../../src/chain/block.ts';
import { readGeyserBlock } from '../../src/chain/geyser/geyser-protobuf.ts';
import { readRpcBlock } from '../../src/chain/rpc/rpc-json.ts';
import { deriveFacts } from '../../src/facts/derive.ts';
import { failingJournal } from '../../src/kernel/journal.ts';
import { LOADS } from '../../src/simulator/load.ts';
import { createSimulator, type SimulatedBlock } from '../../src/simulator/simulator.ts';
import type { ActorKind, Sight } from '../../src/simulator/truth.ts';
import { extent } from '../support/extent.ts';
import { factsDifference } from './facts-difference.ts';

/** For each seed; at full extent a minute of chain. */
const BLOCKS = extent(60, 300);
/** Blocks in which everybody has to have come. */
const MOST_BLOCKS = 600;

interface View {
  readonly name: string;
  readonly sight: Sight;
  read(block: SimulatedBlock): Block;
}

const VIEWS: readonly View[] = [
  { name: 'Yellowstone protobuf', sight: 'decoded', read: (block) => readGeyserBlock(block.geyser(), failingJournal) },
  { name: 'json', sight: 'decoded', read: (block) => readRpcBlock(block.slot, block.rpc('json'), failingJournal) },
  { name: 'base64', sight: 'wire', read: (block) => readRpcBlock(block.slot, block.rpc('base64'), failingJournal) },
  {
    name: 'jsonParsed',
    sight: 'decoded',
    read: (block) => readRpcBlock(block.slot, block.rpc('jsonParsed'), failingJournal),
  },
];

/** Everybody who sends transactions of a meaning of their own; votes are counted alone. */
const ACTORS = [
  ...(['trader', 'dev', 'rug_dev', 'serial_dev', 'sniper', 'bundler', 'spread_bundler', 'relay_chain'] as const),
  ...(['fake_airdrop', 'honest_airdrop', 'wash_trader', 'copy_trader', 'early_bird', 'self_abort_bot'] as const),
  ...(['funding_tree', 'mayhem_agent', 'migrator', 'equity_trader', 'crowd_send', 'router_skim'] as const),
  ...(['pool_maker', 'burner', 'payer', 'background', 'hidden_giver', 'market_hopper'] as const),
  ...(['prop_amm_trader', 'order_desk'] as const),
] satisfies ActorKind[];

const EVERYBODY = [
  ...['created', 'swaps', 'attempts', 'completed', 'graduated', 'pools'],
  ...ACTORS,
  ...['a curve in dollars', 'a mayhem coin', 'an ambiguous send', 'a hidden send', 'an inverted pool'],
  ...['budget source 0', 'budget source 1', 'budget source 2'],
  ...['venue 0', 'venue 1', 'venue 2'],
  ...['transfers', 'burns', 'unexplained', 'fundings'],
  ...['rejected', 'self_abort', 'failed_unknown'],
  ...['TooMuchSolRequired', 'TooLittleSolReceived', 'BuySlippageBelowMinTokensOut', 'NotEnoughTokensToBuy'],
  ...['NotEnoughTokensToSell', 'AccountNotInitialized', 'ExceededSlippage'],
];

describe('deriveFacts over simulated blocks', () => {
  it.each(extent(['one'], ['one', 'two', 'three', 'four']))(
    'equals the truth row for row, whatever encoding the block came in (seed %s)',
    (seed) => {
      const simulator = createSimulator({ seed, sign: false });
      for (let count = 0; count < BLOCKS; count++) {
        const block = simulator.next();
        for (const { name, read, sight } of VIEWS) {
          const difference = factsDifference(deriveFacts(read(block), failingJournal), block.truth.facts(sight));
          expect(difference, name).toBeUndefined();
        }
      }
    },
  );

  it('equals the truth where hand-outs look like shares of a platform, and crumbs cover chains', () => {
    const load = { ...LOADS.desk, hiddenCrumbs: 2, coveredRelays: 1 };
    const simulator = createSimulator({ seed: 'crumbs', load, sign: false });
    const given = new Map<string, number>();
    for (let count = 0; count < BLOCKS; count++) {
      const block = simulator.next();
      const facts = deriveFacts(readGeyserBlock(block.geyser(), failingJournal), failingJournal);
      expect(factsDifference(facts, block.truth.facts('decoded'))).toBeUndefined();
      for (const { from, hidden } of facts.transfers) if (hidden) given.set(from, (given.get(from) ?? 0) + 1);
    }
    expect(Math.max(...given.values())).toBeGreaterThan(5);
  });

  it('meets everybody, and every kind of fact that it is meant to hold', () => {
    const simulator = createSimulator({ seed: 'everybody', sign: false });
    const seen = new Set<string>();
    for (let count = 0; count < MOST_BLOCKS && !EVERYBODY.every((each) => seen.has(each)); count++) {
      const { truth } = simulator.next();
      const facts = truth.facts('wire');
      for (const { actor } of truth.transactions) seen.add(actor);
      for (const [list, rows] of Object.entries(facts)) {
        if (Array.isArray(rows) && rows.length > 0) seen.add(list);
      }
      for (const { outcome, why } of facts.attempts) seen.add(outcome).add(why);
      for (const { venue, quoteMint } of facts.swaps) {
        seen.add(`venue ${venue}`);
        if (venue === 0 && quoteMint !== undefined) seen.add('a curve in dollars');
      }
      for (const { mayhem } of facts.created) if (mayhem) seen.add('a mayhem coin');
      for (const { ambiguous, hidden } of facts.transfers) {
        if (ambiguous) seen.add('an ambiguous send');
        if (hidden) seen.add('a hidden send');
      }
      for (const { inverted } of facts.pools) if (inverted) seen.add('an inverted pool');
      for (const { budget } of truth.facts('decoded').swaps) seen.add(`budget source ${budget?.source}`);
    }
    expect([...seen]).toEqual(expect.arrayContaining(EVERYBODY));
  });
});
