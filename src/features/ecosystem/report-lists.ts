import { timeText } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import type { Written } from '../../contract/written.ts';
import { equity } from '../../programs/registry/index.ts';
import type { TokenFacts } from '../../token/facts.ts';
import { nameOf, statusOf } from '../../token/state.ts';
import { supplyPct, tokenSupply } from '../../token/supply.ts';
import { type BundledLaunch, byTokens, compareShares } from './bundle-rules.ts';
import type { EcosystemReport } from './contract.ts';
import { MAX_REPORT_ROWS } from './contract-limits.ts';
import { crashOf } from './crash-rules.ts';
import { dumpOf } from './dump-rules.ts';
import type { DevHolding, DevPosition, DevSale, VolumeRow } from './report-list-reads.ts';

/** Rows of lists that depend on what is known of their tokens. */

export type ReadFacts = (mints: readonly Address[]) => Promise<readonly TokenFacts[]>;

/** Tokens whose facts are read together. */
const TOGETHER = 60;

type ListRow<K extends 'bundled_launches' | 'crashes'> = Written<EcosystemReport[K][number]>;
export type DumpRow = Written<NonNullable<EcosystemReport['dev_dumps']>[number]>;

/** Goes through candidates in order, some at a time, with the facts of each, until `isEnough`. */
async function inTurns<T extends { readonly mint: Address | '' }>(
  candidates: readonly T[],
  readFacts: ReadFacts,
  take: (candidate: T, facts: TokenFacts) => void,
  isEnough: (next: T) => boolean,
): Promise<void> {
  for (let at = 0; at < candidates.length; at += TOGETHER) {
    if (isEnough(candidates[at]!)) return;
    const some = candidates.slice(at, at + TOGETHER);
    const facts = await readFacts(some.map(({ mint }) => mint as Address));
    for (const [place, each] of some.entries()) take(each, facts[place]!);
  }
}

function shownFields(mint: Address, facts: TokenFacts) {
  const state = { mint, ...facts };
  return { mint, symbol: nameOf(state).symbol, status: statusOf(state) };
}

function createdAt({ creation }: TokenFacts): string | undefined {
  return creation === undefined || creation.time === 0 ? undefined : timeText(creation.time);
}

/** Launches by the share of the supply that went to their bundle. */
export async function bundledRows(
  launches: readonly BundledLaunch[],
  readFacts: ReadFacts,
): Promise<ListRow<'bundled_launches'>[]> {
  const found: (BundledLaunch & { readonly supply: bigint; readonly facts: TokenFacts })[] = [];
  // Of more tokens than the smallest supply has, a share is smaller: no later candidate has a larger share than its tokens say.
  let least: bigint | undefined;
  await inTurns(
    byTokens(launches),
    readFacts,
    (launch, facts) => {
      const supply = tokenSupply(facts);
      if (supply === undefined) return;
      if (least === undefined || supply < least) least = supply;
      found.push({ ...launch, supply, facts });
    },
    (next) => {
      const last = found.toSorted(compareShares)[MAX_REPORT_ROWS - 1];
      return last !== undefined && last.tokens * least! > next.tokens * last.supply;
    },
  );
  return found
    .sort(compareShares)
    .slice(0, MAX_REPORT_ROWS)
    .map(({ mint, tokens, supply, lamports, wallets, facts }) => ({
      ...shownFields(mint, facts),
      created_at: createdAt(facts),
      pct_supply: supplyPct(tokens, supply),
      wallets: wallets.size,
      lamports: lamports.toString(),
    }));
}

/** Tokens far below their highest price in the window, by what was traded of them. Tokenized equities are none. */
export async function crashRows(volumes: readonly VolumeRow[], readFacts: ReadFacts): Promise<ListRow<'crashes'>[]> {
  const found: ListRow<'crashes'>[] = [];
  await inTurns(
    volumes.filter(({ mint }) => equity(mint as Address) === undefined),
    readFacts,
    (row, facts) => {
      const crash = crashOf(row, facts.lastPriced);
      if (crash === undefined) return;
      const { symbol, status, mint } = shownFields(row.mint as Address, facts);
      found.push({ mint, symbol, ...crash, volume: row.volume.toString(), status });
    },
    () => found.length >= MAX_REPORT_ROWS,
  );
  return found.slice(0, MAX_REPORT_ROWS);
}

export interface DevStates {
  readonly positions: readonly DevPosition[];
  readonly holdings: readonly DevHolding[];
}

/** Creators who dumped their token, by what they got for it in the window. `isStale`: what is known of a wallet lacks something. */
export async function dumpRows(
  sales: readonly DevSale[],
  { positions, holdings }: DevStates,
  { readFacts, isStale }: { readonly readFacts: ReadFacts; readonly isStale: (mint: Address) => Promise<boolean> },
): Promise<DumpRow[]> {
  const positionOf = new Map(positions.map((each) => [`${each.mint} ${each.wallet}`, each]));
  const holdingOf = new Map(holdings.map((each) => [`${each.mint} ${each.wallet}`, each]));
  const rows: DumpRow[] = [];
  await inTurns(
    sales,
    readFacts,
    (sale, facts) => {
      const key = `${sale.mint} ${sale.creator}`;
      const supply = tokenSupply(facts);
      const dump = dumpOf({ position: positionOf.get(key), holding: holdingOf.get(key), supply });
      if (dump === undefined) return;
      const { mint, symbol, status } = shownFields(sale.mint as Address, facts);
      rows.push({
        ...{ mint, symbol, created_at: createdAt(facts), sold_pct: dump.soldPct, hold_pct: dump.holdPct },
        ...{ realized_pnl: dump.realizedPnl?.toString(), lamports: sale.lamports.toString(), status },
      });
    },
    () => rows.length >= MAX_REPORT_ROWS,
  );
  const shown = rows.slice(0, MAX_REPORT_ROWS);
  const stale = await Promise.all(shown.map(({ mint }) => isStale(mint as Address)));
  return shown.map((row, place) =>
    stale[place] === true ? { ...row, hold_pct: undefined, realized_pnl: undefined } : row,
  );
}
