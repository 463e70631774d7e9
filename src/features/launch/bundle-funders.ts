import { createRefreshed } from '../../books/refreshed.ts';
import { createStampMemo } from '../../books/stamp-memo.ts';
import type { Address } from '../../chain/address.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { SwapRow, TokenCreationRow } from '../../store/clickhouse/schema/tables.ts';
import type { BuyersQuestion, readFundedBuyers } from '../movements/funded-buyer-reads.ts';
import { clusterByFunder } from '../movements/funding-rules.ts';
import { analyseLaunch, type LaunchBundle } from './launch-rules.ts';

/** Launches whose funders are remembered, each for so long once they are settled: holes that are filled tell of more. */
const CAPACITY = 1_000;
const FRESH_MS = 10_000;

export interface BundleFunders {
  of(launch: FundedLaunch): Promise<FunderLinks>;
}

export interface FundedLaunch {
  readonly mint: Address;
  readonly creation: TokenCreationRow | undefined;
  /** The first swaps, in order of place. */
  readonly swaps: readonly SwapRow[];
}

/** What fundings say of the buyers that stand next to each other. */
export interface FunderLinks {
  /** Equal keys say the same. */
  readonly key: string;
  /** False while the store lacks blocks of these swaps, whose fundings may be in them. */
  readonly isSettled: boolean;
  readonly haveOneFunder: (wallets: readonly Address[]) => boolean;
}

export interface BundleFundersDeps {
  readonly readBuyers: (question: BuyersQuestion) => ReturnType<typeof readFundedBuyers>;
  readonly committedSlot: () => number;
  readonly clock: Clock;
}

/** Finds who paid for the buyers of bundles that nothing stronger ties together; of others nothing is read. */
export function createBundleFunders({ readBuyers, committedSlot, clock }: BundleFundersDeps): BundleFunders {
  const known = createRefreshed<FunderLinks>({ clock, capacity: CAPACITY, freshMs: FRESH_MS, reuseMs: FRESH_MS });
  /** Those that are not settled, for as long as the store answers for no later slot. */
  const passing = createStampMemo<FunderLinks>(CAPACITY);

  async function look(
    { mint, creation, swaps }: FundedLaunch,
    unsure: readonly LaunchBundle[],
    mark: number,
  ): Promise<FunderLinks> {
    const buyers = new Set(unsure.flatMap(({ wallets }) => wallets));
    const slots = new Map<Address, number>();
    for (const { trader, slot } of swaps) if (buyers.has(trader) && !slots.has(trader)) slots.set(trader, slot);
    const wallets = Array.from(slots, ([wallet, slot]) => ({ wallet, slot }));
    const { buyers: funded, context } = await readBuyers({ mint, wallets, creation, mark });
    const haveOneFunder = (some: readonly Address[]) => {
      const inside = funded.filter(({ wallet }) => some.includes(wallet));
      return clusterByFunder(inside, context).some(({ wallets }) => wallets.length > 1);
    };
    return {
      key: unsure.map((bundle) => (haveOneFunder(bundle.wallets) ? '1' : '0')).join(''),
      isSettled: unsure.every(({ slot }) => slot <= mark),
      haveOneFunder,
    };
  }

  return {
    async of(launch) {
      const { mint, creation, swaps } = launch;
      const { bundles } = analyseLaunch({ mint, creation, supply: undefined, swaps });
      const unsure = bundles.filter(({ evidence }) => evidence === 'adjacent');
      if (unsure.length === 0) return NO_LINKS;
      const mark = committedSlot();
      const isSettled = unsure.every(({ slot }) => slot <= mark);
      const make = () => look(launch, unsure, mark);
      if (!isSettled) return passing.get(mint, `${mark} ${swaps.length}`, make);
      return (await known.get(`${mint} ${swaps.length}`, make)).value;
    },
  };
}

const NO_LINKS: FunderLinks = { key: '', isSettled: true, haveOneFunder: () => false };
