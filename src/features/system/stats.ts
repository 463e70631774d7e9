import { cpus, freemem, loadavg, totalmem } from 'node:os';
import { jsonBody } from '../../books/json-text.ts';
import { createRefreshed } from '../../books/refreshed.ts';
import { createStampMemo } from '../../books/stamp-memo.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Feed } from '../../feed/feed.ts';
import type { Clock } from '../../kernel/clock.ts';
import { byProvider } from '../../token/tip-providers.ts';
import type { IngestStatus, Stats } from './contract.ts';
import type { StatsReads, StoreStats } from './stats-reads.ts';

/** Counting goes over whole tables: one count serves everybody for this long. */
const STATS_SECONDS = 5;
/** Positions are counted for a tenth of the time at most, so in a large store less often; a count stands for so long. */
const POSITIONS_STAND_MS = 600_000;
const MINUTE_S = 60;
const HOUR_S = 3_600;

export interface ServiceStats {
  stats(): Buffer | Promise<Buffer>;
}

export interface ServiceStatsDeps {
  readonly reads: StatsReads;
  readonly feed: Pick<Feed, 'committedSlot'>;
  readonly clock: Clock;
  readonly ingest?: (() => IngestStatus) | undefined;
}

/** A row of one of the lists in the answer. */
type Row<K extends 'tables' | 'top_tokens' | 'activity' | 'tips_by_provider'> = Stats[K][number];

/** Statistics of the store, of its newest rows, of the machine and, with `ingest`, of the blocks that come in. */
export function createServiceStats({ reads, feed, clock, ingest }: ServiceStatsDeps): ServiceStats {
  const memo = createStampMemo<Buffer>(1);
  const positions = createRefreshed<number>({
    ...{ clock, capacity: 1, freshMs: 0, reuseMs: POSITIONS_STAND_MS, lastGoodMs: POSITIONS_STAND_MS },
  });
  return {
    stats() {
      const now = Math.floor(clock.now() / 1000);
      return memo.get('stats', Math.floor(now / STATS_SECONDS), async () => {
        const spans = { minute: now - MINUTE_S, fiveMinutes: now - 5 * MINUTE_S, hour: now - HOUR_S };
        const mark = feed.committedSlot;
        const [stored, counted] = await Promise.all([
          reads.stats(spans, mark),
          positions.get('positions', () => reads.positions()),
        ]);
        return stampBody(jsonBody(statsAnswer({ ...stored, positions: counted.value }, now, ingest?.())), mark);
      });
    },
  };
}

interface CountedStats extends StoreStats {
  readonly positions: number;
}

function statsAnswer(stored: CountedStats, now: number, ingest: IngestStatus | undefined): Written<Stats> {
  const total = (read: (table: StoreStats['tables'][number]) => number) =>
    stored.tables.reduce((sum, table) => sum + read(table), 0);
  return {
    tokens: stored.tokens,
    tokens_graduated: stored.graduated,
    tokens_stable: stored.otherQuotes,
    positions: stored.positions,
    swaps: stored.swaps,
    tips: stored.tips,
    swaps_1m: stored.swapsMinute,
    swaps_5m: stored.swapsFiveMinutes,
    swaps_1h: stored.swapsHour,
    tokens_1h: stored.tokensHour,
    tips_1h: stored.tipsHour,
    lag_seconds: stored.newestTime === 0 ? 0 : Math.max(0, now - stored.newestTime),
    db_size: total((table) => table.bytes),
    compressed_bytes: total((table) => table.compressed),
    uncompressed_bytes: total((table) => table.uncompressed),
    chunks: total((table) => table.parts),
    tables: stored.tables.map(({ name, bytes }) => ({ name, bytes }) satisfies Row<'tables'>),
    tips_by_provider: byProvider(stored.tipWallets).map(
      ({ provider, count, lamports }) =>
        ({ provider, count: Number(count), lamports: lamports.toString() }) satisfies Row<'tips_by_provider'>,
    ),
    top_tokens: stored.topTokens.map(
      ({ mint, volume, trades }) => ({ mint, volume: volume.toString(), trades }) satisfies Row<'top_tokens'>,
    ),
    activity: stored.minutes.map(({ start, swaps }) => ({ t: start, count: swaps }) satisfies Row<'activity'>),
    server: serverLoad(),
    ingest,
  };
}

function serverLoad(): Stats['server'] {
  const [load1 = 0, load5 = 0, load15 = 0] = loadavg();
  const mem_total = totalmem();
  return { load1, load5, load15, cpus: cpus().length, mem_used: mem_total - freemem(), mem_total };
}
