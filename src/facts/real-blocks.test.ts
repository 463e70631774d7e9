import { describe, expect, it } from 'vitest';
import { extent } from '../../test/support/extent.ts';
import { fixtureText, hasFixtures, realTransactions } from '../../test/support/fixtures.ts';
import { readGeyserBlock } from '../chain/geyser/geyser-protobuf.ts';
import { parseRpcJson, readRpcBlock, readRpcTransaction } from '../chain/rpc/rpc-json.ts';
import { failingJournal } from '../kernel/journal.ts';
import { createSimulator } from '../simulator/simulator.ts';
import { deriveFacts } from './derive.ts';

/** Facts as text: equal texts are equal facts, to the last byte of a signature. */
function textOf(facts: object): string {
  return JSON.stringify(facts, (_, value) => {
    if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
    return typeof value === 'bigint' ? `${value}n` : value;
  });
}

describe.skipIf(!hasFixtures)('a whole real block', () => {
  const SLOT = 254_170_887;
  const text = hasFixtures ? fixtureText(`blocks/mainnet-${SLOT}.json.gz`) : '';
  const derive = () => deriveFacts(readRpcBlock(SLOT, parseRpcJson(text), failingJournal), failingJournal);

  it('gives its economics, and no trade of a launchpad that it does not touch', () => {
    const facts = derive();
    expect([facts.swaps, facts.attempts, facts.created]).toEqual([[], [], []]);
    expect(facts.economics).toMatchObject({ transactions: 444, votes: 158, failed: 305 });
    const { tips, tipsByWallet, fees, priorityFees } = facts.economics;
    expect(tipsByWallet.reduce((sum, { lamports }) => sum + lamports, 0n)).toBe(tips);
    expect(fees).toBeGreaterThan(priorityFees);
  });

  it('lists every kind of fact in order of position', () => {
    const facts = derive();
    expect(facts.transfers.length).toBeGreaterThan(0);
    for (const list of [facts.transfers, facts.burns, facts.fundings]) {
      const places = list.map(({ blockIndex, ixIndex }) => blockIndex * 100_000 + ixIndex);
      expect(places).toEqual([...places].sort((a, b) => a - b));
    }
  });

  it('gives the same bytes again', () => {
    expect(textOf(derive())).toBe(textOf(derive()));
  });
});

describe.skipIf(!hasFixtures)('one real transaction in two encodings', () => {
  it('gives the same facts', () => {
    const [binary, parsed] = realTransactions()
      .filter(({ name }) => name.includes('4HbY43S9'))
      .map(({ json }) => textOf(deriveFacts(readRpcTransaction(json, failingJournal), failingJournal)));
    expect(parsed).toBe(binary);
  });
});

describe('a simulated block', () => {
  it('gives the same facts from a node’s JSON and from a Yellowstone stream', () => {
    const simulator = createSimulator({ seed: 'facts', sign: false });
    let swaps = 0;
    for (let i = 0; i < extent(10, 30); i++) {
      const block = simulator.next();
      const streamed = deriveFacts(readGeyserBlock(block.geyser(), failingJournal), failingJournal);
      const polled = deriveFacts(readRpcBlock(block.slot, block.rpc('json'), failingJournal), failingJournal);
      expect(textOf(polled)).toBe(textOf(streamed));
      swaps += streamed.swaps.length;
    }
    expect(swaps).toBeGreaterThan(extent(3, 10));
  });
});
