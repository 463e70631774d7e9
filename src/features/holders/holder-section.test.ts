import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { address } from '../../../test/support/token-world-rows.ts';
import type { MintRows } from '../../books/mint-rows.ts';
import type { Address } from '../../chain/address.ts';
import type { PositionSwap } from '../../facts/average-cost.ts';
import { walletKey } from '../../facts/holding.ts';
import { compareMovements, type Movement } from '../../facts/movements.ts';
import { foldWallets, type WalletState } from '../../facts/wallet-fold.ts';
import { systemClock } from '../../kernel/clock.ts';
import { toHoldingRow } from '../../store/clickhouse/schema/holding-rows.ts';
import { toPositionRow } from '../../store/clickhouse/schema/position-rows.ts';
import type { HoldingRow, PositionRow } from '../../store/clickhouse/schema/tables.ts';
import { groupByWallet, holdingsByWallet, rankHolders, sortHolders } from './holder-body.ts';
import { type HolderSection, holderSection } from './holder-section.ts';
import type { HolderReads } from './largest-reads.ts';

const MINT = address(11);
const OTHER_QUOTE = address(31);
const WALLETS = [21, 22, 23, 24, 25, 26, 27].map(address);
const NONE: MintRows = {
  ...{ creations: [], completions: [], graduations: [], creatorChanges: [], swaps: [], attempts: [] },
  ...{ transfers: [], hiddenTransfers: [], positions: [], holdings: [] },
};

/** A step of a wallet: a trade, or tokens that come or go without one. */
const step = fc.record({
  wallet: fc.constantFrom(...WALLETS),
  kind: fc.constantFrom('buy', 'buy', 'sell', 'buy in another quote', 'unexplained', 'received', 'sent'),
  amount: fc.bigInt({ min: 1n, max: 9n }),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

/** A token of a few wallets, folded block by block, one step each. */
class Chain {
  readonly #wallets = new Map<string, WalletState>();
  #slot = 1;

  take({ wallet, kind, amount }: Step): { readonly positions: PositionRow[]; readonly holdings: HoldingRow[] } {
    const place = { mint: MINT, slot: this.#slot++, blockIndex: 0, ixIndex: 0, time: 1_790_000_000 };
    const swaps: PositionSwap[] = [];
    const moves: Movement[] = [];
    if (kind === 'unexplained') moves.push({ ...place, wallet, kind, delta: amount % 2n === 0n ? amount : -amount });
    else if (kind === 'received' || kind === 'sent') {
      moves.push({ ...place, wallet, kind, delta: kind === 'sent' ? -amount : amount });
    } else swaps.push(swapOf(place, wallet, kind, amount));
    foldWallets(this.#wallets, swaps, moves.sort(compareMovements));
    const { positions, holding } = this.#wallets.get(walletKey({ mint: MINT, wallet }))!;
    return {
      positions: positions.filter(({ slot }) => slot === place.slot).map(toPositionRow),
      holdings: holding?.slot === place.slot ? [toHoldingRow(holding)] : [],
    };
  }

  /** The newest that was folded. */
  get slot(): number {
    return this.#slot - 1;
  }

  all(): { readonly positions: PositionRow[]; readonly holdings: HoldingRow[] } {
    const states = [...this.#wallets.values()];
    return {
      positions: states.flatMap(({ positions }) => positions.map(toPositionRow)),
      holdings: states.flatMap(({ holding }) => (holding === undefined ? [] : [toHoldingRow(holding)])),
    };
  }

  /** The plainest way to read the largest. */
  get reads(): HolderReads {
    const { positions, holdings } = this.all();
    const grouped = groupByWallet(positions, holdingsByWallet(holdings));
    const known = sortHolders(grouped);
    const unknown = grouped.filter(({ balance }) => balance === undefined);
    const beside = {
      mint_quotes: new Set(positions.map(({ quote_mint }) => quote_mint)).size,
      mint_unknown: unknown.length > 0,
      mint_newest: this.slot,
    };
    return {
      async holders(_mint, { wallets }) {
        const traders = [...known, ...unknown].filter((holder) => holder.positions.length > 0);
        const top = new Set(traders.slice(0, wallets).map(({ trader }) => trader));
        return positions.filter(({ trader }) => top.has(trader)).map((row) => ({ ...row, ...beside }));
      },
      async holdings(_mint, { wallets }, traders) {
        const largest = holdings.toSorted(
          (a, b) =>
            Number(b.estimate_known) - Number(a.estimate_known) ||
            Number(b.estimate - a.estimate) ||
            (a.wallet < b.wallet ? -1 : 1),
        );
        const top = new Set([...largest.slice(0, wallets).map(({ wallet }) => wallet), ...traders]);
        return holdings.filter(({ wallet }) => top.has(wallet));
      },
    };
  }
}

function swapOf(
  place: Pick<PositionSwap, 'mint' | 'slot' | 'blockIndex' | 'ixIndex' | 'time'>,
  trader: Address,
  kind: Step['kind'],
  tokenAmount: bigint,
): PositionSwap {
  const quoteMint = kind === 'buy in another quote' ? OTHER_QUOTE : undefined;
  const sides = { trader, isBuy: kind !== 'sell', quoteMint, tokenAmount, quoteAmount: tokenAmount };
  return { ...place, ...sides, protocolActor: false };
}

function loaded(chain: Chain, size: number): Promise<HolderSection> {
  const feed = { committedSlot: chain.slot };
  return holderSection({ reads: chain.reads, feed, clock: systemClock, venues: [] }, MINT, size).load(chain.slot);
}

function expectAgrees(section: HolderSection, chain: Chain): void {
  const { positions, holdings } = chain.all();
  const truth = rankHolders(positions, holdingsByWallet(holdings));
  const told = ({ trader, balance }: (typeof truth)[number]) => [trader, balance];
  const sure = section.ranked().slice(0, section.sure);
  expect(sure.map(told)).toEqual(truth.slice(0, sure.length).map(told));
  if (section.sure === Number.POSITIVE_INFINITY) expect(sure.length).toBe(truth.length);
  const isUnknown = groupByWallet(positions, holdingsByWallet(holdings)).some(({ balance }) => balance === undefined);
  expect(section.hasUnknown).toBe(isUnknown);
}

describe('the largest holders in memory', () => {
  it.each([2, 4, 20])('of %i wallets that are read are those of all rows, trade by trade', async (size) => {
    let hidden = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), fc.array(step, { maxLength: 30 }), async (before, after) => {
        const chain = new Chain();
        // Movements of a token that nobody traded yet are passed over.
        chain.take({ wallet: WALLETS[0]!, kind: 'buy', amount: 5n });
        for (const each of before) chain.take(each);
        let section = await loaded(chain, size);
        expectAgrees(section, chain);
        for (const each of after) {
          const rows = { ...NONE, ...chain.take(each) };
          // A section that cannot go on is read again.
          if (!section.apply(rows)) section = await loaded(chain, size);
          expectAgrees(section, chain);
          if (section.sure < section.ranked().length) hidden += 1;
        }
      }),
    );
    if (size === 2) expect(hidden).toBeGreaterThan(0);
  });
});
