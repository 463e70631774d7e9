import { describe, expect, it } from 'vitest';
import type { Address } from '../../src/chain/address.ts';
import { compareChainPlaces } from '../../src/chain/place.ts';
import type { Swap, Transfer } from '../../src/facts/fact.ts';
import type { ReceiverPast, SendRow } from '../../src/features/movements/made-holder-rules.ts';
import { judgeSends } from '../../src/features/movements/sends-rules.ts';
import { LOADS } from '../../src/simulator/load.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import type { Scheme } from '../../src/simulator/truth.ts';

const BLOCKS = 150;
/** Crowds are needed who hold coins, and nobody who only votes. */
const LOAD = { ...LOADS.desk, votes: 2, background: 2, tokenTransfers: 4, coveredRelays: 1 };

/** Sends of a coin by one scheme alone, as the rules see them. */
function rowsOf(sends: readonly Transfer[]): SendRow[] {
  return sends.map(({ slot, blockIndex, ixIndex, time, from, to, amount, ambiguous, hidden }) => ({
    ...{ slot, block_index: blockIndex, ix_index: ixIndex, time, sender: from, receiver: to },
    ...{ amount, ambiguous, hidden },
  }));
}

function pastsOf(sends: readonly Transfer[], swaps: readonly Swap[]): Map<Address | '', ReceiverPast> {
  const first = new Map<Address, Transfer>();
  for (const send of sends) if (!first.has(send.to)) first.set(send.to, send);
  return new Map(
    [...first].map(([wallet, send]) => {
      const own = swaps.filter(({ trader }) => trader === wallet);
      const buys = own.filter(({ mint, isBuy }) => mint === send.mint && isBuy);
      const bought = buys.some((swap) => compareChainPlaces(swap, send) < 0);
      return [wallet, { bought, entered: buys.length > 0 || own.some(({ mint }) => mint !== send.mint) }];
    }),
  );
}

describe('relay chains that crumbs and decoys cover', () => {
  it('are told all the same, whether they hand all of it on or half', () => {
    const simulator = createSimulator({ seed: 'covered', load: LOAD, sign: false });
    const chains: Scheme[] = [];
    const sends = new Map<string, Transfer[]>();
    const swaps: Swap[] = [];
    for (let count = 0; count < BLOCKS; count++) {
      const { truth } = simulator.next();
      const facts = truth.facts('decoded');
      chains.push(...truth.schemes.filter(({ id }) => id.startsWith('covered-')));
      swaps.push(...facts.swaps);
      const groups = new Map(truth.transactions.map(({ blockIndex, group }) => [blockIndex, group]));
      for (const send of facts.transfers) {
        const group = groups.get(send.blockIndex) ?? '';
        if (group.startsWith('covered-')) sends.set(group, [...(sends.get(group) ?? []), send]);
      }
    }
    const told = chains.flatMap(({ id, wallets }) => {
      const own = sends.get(id) ?? [];
      const got = new Set(own.map(({ to }) => to));
      // Played to its end: whoever takes part got something.
      if (!wallets.every((wallet) => got.has(wallet))) return [];
      const { verdict, flagged, receivers } = judgeSends(rowsOf(own), pastsOf(own, swaps), {
        creator: undefined,
        time: 0,
      });
      return [{ verdict, flagged, covered: receivers > 2 * 12 }];
    });
    expect(told.length).toBeGreaterThan(5);
    expect(told.some(({ covered }) => covered)).toBe(true);
    expect(told.filter(({ verdict, flagged }) => verdict !== 'relay_chain' || !flagged)).toEqual([]);
  });
});
