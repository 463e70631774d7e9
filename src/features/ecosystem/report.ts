import { jsonBody, timeText } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Clock } from '../../kernel/clock.ts';
import { tipProvider } from '../../programs/registry/index.ts';
import type { StoreClient } from '../../store/clickhouse/client.ts';
import type { CoverageReader, UnbrokenReader, WholeSince } from '../../token/history.ts';
import { readFactsOfMints } from '../../token/mint-facts-reads.ts';
import { readSettled, type SettledDeps } from '../../token/settled.ts';
import { byProvider } from '../../token/tip-providers.ts';
import { bundledLaunches, bundlersOf } from './bundle-rules.ts';
import type { EcosystemReport } from './contract.ts';
import { CRASH_LAMPORTS, type EcosystemWindow, MAX_REPORT_ROWS, RULE_VERSION } from './contract-limits.ts';
import { readBundled, readCreators, readDevSales, readDevs, readVolumes } from './report-list-reads.ts';
import { bundledRows, crashRows, type DumpRow, dumpRows } from './report-lists.ts';
import { type ReportSpan, readSpan } from './report-span.ts';
import { readHour, readTipped, readTippers, readTokens, readWindow, type TippedWallet } from './report-sum-reads.ts';
import { readRollupsSince } from './rollups-since.ts';
import { isRecurring } from './tip-wallet-rules.ts';

export interface ReportDeps extends SettledDeps {
  readonly client: StoreClient;
  readonly clock: Pick<Clock, 'now' | 'sleep'>;
  readonly coverage: CoverageReader;
  readonly unbroken: UnbrokenReader;
  readonly wholeSince: WholeSince;
  readonly isStale: (mint: Address) => Promise<boolean>;
}

/**
 * The report of a window, out of the store, as it stands at one slot.
 *
 * @throws {ApiError} `warming_up` while there is no block.
 */
export async function reportBody(deps: ReportDeps, window: EcosystemWindow): Promise<Buffer> {
  const { client, feed, clock } = deps;
  // Before the rows: a hole that is filled while they are read is not in all of them.
  const [slots, kept] = await Promise.all([deps.unbroken(), deps.wholeSince()]);
  // An hour is made of swaps alone.
  const begun = await readRollupsSince(client, window === '1h' ? [] : ['trades', 'volumes', 'tippers'], {
    slots,
    keptSince: window === '1h' ? 0 : (kept.get('swaps') ?? 0),
  });
  // Positions are read as they stand; everything else knows its slots.
  const { rows: found, slot } = await readSettled(
    { feed, clock },
    () => readReport(deps, window, begun),
    (read) => read?.newest ?? 0,
  );
  if (found === undefined) throw new ApiError('warming_up', { message: 'there is no block yet' });
  return stampBody(jsonBody(found.report), slot);
}

interface FoundReport {
  readonly report: Written<EcosystemReport>;
  /** Slot of the newest position in it. */
  readonly newest: number;
}

async function readReport(
  deps: ReportDeps,
  window: EcosystemWindow,
  begun: number | undefined,
): Promise<FoundReport | undefined> {
  const { client, feed, clock } = deps;
  const mark = feed.committedSlot;
  const span = await readSpan(client, { mark, wall: Math.floor(clock.now() / 1_000) }, window);
  if (span === undefined) return undefined;
  const readFacts = (mints: readonly Address[]) => readFactsOfMints(client, mints, mark);
  const [hour, whole, tokens, tipped, tippers, launches, creators, crashes, dumps] = await Promise.all([
    readHour(client, span),
    window === '1h' ? undefined : readWindow(client, span),
    readTokens(client, span),
    readTipped(client, span),
    readTippers(client, span),
    readBundled(client, span).then(bundledLaunches),
    readCreators(client, span),
    readVolumes(client, span, CRASH_LAMPORTS[window]).then((rows) => crashRows(rows, readFacts)),
    readDumps(deps, span, readFacts),
  ]);
  const { volume, trades } = whole ?? hour;
  const isWhole = begun !== undefined && begun <= span.from;
  const report: Written<EcosystemReport> = {
    ...{ window, rule_version: RULE_VERSION, ...tokens, volume: volume.toString(), trades: Number(trades) },
    tips_total: tipped.reduce((sum, { lamports }) => sum + lamports, 0n).toString(),
    tip_swaps_1h: Number(hour.tip_swaps),
    active_traders_1h: Number(hour.active_traders),
    ...{ buys_1h: Number(hour.buys), sells_1h: Number(hour.sells), fees_1h: hour.fees.toString() },
    ...{ creator_fees_1h: hour.creator_fees.toString(), priority_fees_1h: hour.priority_fees.toString() },
    tip_wallets: tipWallets(tipped, isWhole),
    tippers: tippers.map((row) => ({ ...row, count: Number(row.count), lamports: row.lamports.toString() })),
    providers: byProvider(tipped)
      .slice(0, MAX_REPORT_ROWS)
      .map((row) => ({ ...row, count: Number(row.count), lamports: row.lamports.toString() })),
    bundled_launches: await bundledRows(launches, readFacts),
    bundlers: bundlersOf(launches)
      .slice(0, MAX_REPORT_ROWS)
      .map((row) => ({ ...row, lamports: row.lamports.toString() })),
    ...{ creators, dev_dumps: dumps?.rows, crashes },
    since: begun !== undefined && begun > span.from ? timeText(begun) : undefined,
  };
  return { report, newest: dumps?.newest ?? 0 };
}

async function readDumps(
  { client, coverage, isStale }: ReportDeps,
  span: ReportSpan,
  readFacts: Parameters<typeof crashRows>[1],
): Promise<{ readonly rows: readonly DumpRow[]; readonly newest: number } | undefined> {
  const sales = await readDevSales(client, span, await coverage());
  if (sales === undefined) return undefined;
  const states = await readDevs(client, sales);
  const slots = [...states.positions, ...states.holdings].map(({ newest }) => newest);
  const rows = await dumpRows(sales, states, { readFacts, isStale });
  return { rows, newest: Math.max(0, ...slots) };
}

function tipWallets(tipped: readonly TippedWallet[], isWhole: boolean): Written<EcosystemReport['tip_wallets']> {
  return tipped
    .toSorted((a, b) => Number(b.lamports - a.lamports) || (a.tip_wallet < b.tip_wallet ? -1 : 1))
    .slice(0, MAX_REPORT_ROWS)
    .map(({ tip_wallet: wallet, count, lamports, parts }) => ({
      wallet,
      provider: tipProvider(wallet as Address) ?? 'unknown',
      count: Number(count),
      lamports: lamports.toString(),
      recurring: isRecurring(parts, isWhole),
    }));
}
