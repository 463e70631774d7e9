import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addCreditMetrics } from '../accounts/credits/credit-metrics.ts';
import { addBookMetrics } from '../books/book-metrics.ts';
import { addFeedMetrics } from '../feed/feed-metrics.ts';
import { addSocketMetrics } from '../http/sockets/socket-metrics.ts';
import { addIngestMetrics } from '../ingest/report/ingest-metrics.ts';
import { RATED_PROGRAMS } from '../ingest/report/program-rates.ts';
import { createIngestStats } from '../ingest/report/stats.ts';
import { type Logger, silentLogger } from '../kernel/log.ts';
import { createMetrics } from '../kernel/metrics.ts';
import { addLeaderMetrics } from '../leaders/leader-metrics.ts';
import { addMetadataMetrics } from '../metadata/metadata-metrics.ts';
import { addReadMetrics } from '../store/reads/read-metrics.ts';

const page = readFileSync(new URL('../../docs/monitoring.md', import.meta.url), 'utf8');
const dashboard = JSON.parse(readFileSync(new URL('../../docs/grafana/mintscope.json', import.meta.url), 'utf8'));

interface Target {
  readonly refId: string;
  readonly expr: string;
  readonly datasource: { readonly type: string; readonly uid: string };
}

interface Panel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number };
  readonly targets?: readonly Target[];
}

const panels: readonly Panel[] = dashboard.panels;

/** A service of which everything is known. */
function fullService(log: Logger = silentLogger) {
  let elapsed = 0;
  const clock = { now: () => 1_790_000_000_000, elapsed: () => elapsed, sleep: async () => {} };
  const stats = createIngestStats({ source: 'yellowstone', committedSlot: 9, clock, log });
  stats.watch({
    outboxBytes: () => 5,
    diskFreeBytes: () => 6,
    slots: () => ({
      skipped: 1,
      dead: 2,
      forked: 3,
      missing: 4,
      dropped: 5,
      withdrawn: 6,
      confirmedSlot: 9,
      finalizedSlot: 8,
      unconfirmedBlocks: 1,
      heldBlocks: 2,
      heldBytes: 3,
    }),
    lacks: () => ({ passed: 7, unavailable: 8 }),
    rpc: () => ({ limit: 4, inFlight: 3, waiting: 2, throttled: 1, faltered: 0 }),
  });
  stats.holes({
    count: 1,
    slots: 2,
    oldestSlot: 3,
    oldestAgeMs: 4,
    filling: true,
    filledSlots: 5,
    unavailableSlots: 6,
  });
  stats.flushed({ batches: 1, rows: 70, bytes: 9, firstSlot: 9, lastSlot: 9, committedSlot: 9, ms: 30, late: true });
  stats.snapshot();
  elapsed += 2_000;
  const memory = { books: 3, bytes: 4_000, maxBytes: 5_000, evicted: 6 };
  const metrics = createMetrics();
  addIngestMetrics(metrics, stats.snapshot);
  addFeedMetrics(metrics, { headSlot: 9, held: 1 });
  addBookMetrics(metrics, () => ({ tokens: memory, lists: memory }));
  addMetadataMetrics(metrics, () => ({
    queued: 1,
    underWay: 2,
    waiting: 3,
    tries: { read: 4, gone: 5 },
    imageRaces: 6,
  }));
  addReadMetrics(metrics, () => ({
    ...{ places: 8, underWay: 1, waiting: 2, accounts: 3 },
    refused: { over_share: 4, too_busy: 5 },
    abandoned: { waiting: 6, under_way: 7 },
  }));
  addCreditMetrics(metrics, {
    figures: { charged: 1, refused: 2, lost: 3, unwritten: 4, writeAgeMs: 5, writingMs: 8, leases: 6, leased: 7 },
    alarms: () => [{ code: 'credits_unwritten', since: 0, message: 'credits could not be written' }],
  });
  addLeaderMetrics(
    metrics,
    {
      figures: {
        schedules: { current: 1, next: 0 },
        ageMs: { validators: 1, gossip: 2, names: 3, tips: 4 },
        failed: { current: 5, store: 6 },
      },
      alarms: () => [{ code: 'leaders_unknown', since: 0, message: 'nobody is known to lead' }],
    },
    () => 7,
  );
  addSocketMetrics(metrics, {
    figures: {
      ...{ connections: 1, maxConnections: 2, unreadBytes: 3 },
      refused: { full: 4, address: 5 },
      dropped: { stalled: 6, slow: 7, unread: 8, pipelined: 9, lingering: 10 },
    },
    alarms: () => [{ code: 'connections_full', since: 0, message: 'all connections are taken' }],
  });
  return { stats, text: () => metrics.text() };
}

/** Names of metrics, without the endings of a histogram's samples. */
function namesIn(text: string): Set<string> {
  const names =
    text.match(
      /\b(?:mintscope_(?:ingest|feed|books|metadata|reads|credits|http|leaders)|process|nodejs)_[a-z0-9_]*[a-z0-9]\b/g,
    ) ?? [];
  return new Set(names.map((name) => name.replace(/(?<=flush_(?:ms|rows))_(?:bucket|sum|count)$/, '')));
}

async function served(): Promise<Set<string>> {
  const text = await fullService().text();
  return new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name!));
}

const ours = (names: Iterable<string>) => [...names].filter((name) => name.startsWith('mintscope_')).sort();

describe('docs/monitoring.md', () => {
  it('names every metric of ours, and none that is not served', async () => {
    const metrics = await served();
    expect(ours(namesIn(page))).toEqual(ours(metrics));
    for (const name of namesIn(page)) expect(metrics).toContain(name);
  });

  it('says of every alarm what to do, and of none that nothing raises', () => {
    const rows = page.split('\n').filter((line) => line.startsWith('| `') && line.split('|').length === 5);
    const section = page.slice(page.indexOf('## Alarms'), page.indexOf('## The log line'));
    const told = rows
      .filter((row) => section.includes(row))
      .flatMap((row) => [...row.split('|')[1]!.matchAll(/`([a-z_]+)`/g)].map(([, code]) => code));
    expect(told.sort()).toEqual([...raisedAlarms()].sort());
  });

  it('explains every field of the line of a flush', () => {
    const lines: Record<string, unknown>[] = [];
    fullService({ ...silentLogger, info: (fields) => lines.push(fields) });
    const section = page.slice(page.indexOf('## The log line'), page.indexOf('## Metrics'));
    expect(lines).toHaveLength(1);
    for (const field of Object.keys(lines[0]!)) expect(section).toContain(`\`${field}\``);
  });
});

describe('docs/grafana/mintscope.json', () => {
  it('shows every metric of ours, and none that is not served', async () => {
    const metrics = await served();
    const shown = namesIn(panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)).join('\n'));
    expect(ours(shown)).toEqual(ours(metrics));
    for (const name of shown) expect(metrics).toContain(name);
  });

  it('has panels that Grafana can lay out and ask for', () => {
    expect(dashboard.schemaVersion).toBeGreaterThanOrEqual(39);
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    const taken = new Set<string>();
    for (const { type, title, gridPos, targets = [] } of panels) {
      expect(title).not.toBe('');
      expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
      for (let x = gridPos.x; x < gridPos.x + gridPos.w; x += 1) {
        for (let y = gridPos.y; y < gridPos.y + gridPos.h; y += 1) {
          expect(taken.has(`${x} ${y}`)).toBe(false);
          taken.add(`${x} ${y}`);
        }
      }
      if (type !== 'row') expect(targets.length).toBeGreaterThan(0);
      expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
      for (const { datasource, expr } of targets) {
        expect(datasource).toEqual({ type: 'prometheus', uid: '${' + 'datasource}' });
        expect(expr.split('(').length).toBe(expr.split(')').length);
      }
    }
  });
});

describe('/metrics', () => {
  const SAMPLE =
    /^[a-z_][a-z0-9_]*(\{[a-z_]+="[^"\n]*"(,[a-z_]+="[^"\n]*")*\})? -?(\d+(\.\d+)?(e[+-]?\d+)?|\+Inf|Nan)$/i;

  it('is text that Prometheus reads: each sample behind the type of its metric', async () => {
    const lines = (await fullService().text()).split('\n').filter((line) => line !== '');
    let name = '';
    for (const line of lines) {
      const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(line);
      if (type !== null) name = type[1]!;
      else if (line.startsWith('#')) expect(line).toMatch(/^# HELP \S+ .+/);
      else {
        expect(line).toMatch(SAMPLE);
        expect(line.startsWith(name)).toBe(true);
      }
    }
  });

  it('tells what became of slots, whichever kind of source tells of them', async () => {
    const text = await fullService().text();
    for (const [fate, slots] of Object.entries({ skipped: 1, withdrawn: 6, passed: 7, unavailable: 8 })) {
      expect(text).toContain(`mintscope_ingest_source_slots_total{fate="${fate}"} ${slots}`);
    }
  });

  it('has histograms whose buckets hold everything up to their bound', async () => {
    const text = await fullService().text();
    expect(text).toContain('# TYPE mintscope_ingest_flush_ms histogram');
    expect(text).toContain('mintscope_ingest_flush_ms_bucket{le="25"} 0');
    expect(text).toContain('mintscope_ingest_flush_ms_bucket{le="50"} 1');
    expect(text).toContain('mintscope_ingest_flush_ms_bucket{le="+Inf"} 1');
    expect(text).toContain('mintscope_ingest_flush_ms_sum 30');
    expect(text).toContain('mintscope_ingest_flush_ms_count 1');
  });

  it('has few samples, whatever the chain does', async () => {
    const { stats, text } = fullService();
    for (let each = 0; each < 20_000; each += 1) {
      const detail = { discriminator: `${each}`, bytes: each };
      stats.journal.note({ code: 'unknown_event', subject: `program ${each % 1_000}`, detail });
      stats.journal.note({ code: 'event_tail', subject: 'pump.TradeEvent', detail });
    }
    expect((await text()).split('\n').length).toBeLessThan(1_200);
  });

  it('tells that an alarm lasts, and not what it says: that may name a host', async () => {
    const { stats, text } = fullService();
    stats.alarm('holes', 'https://user:secret@node.invalid has none');
    expect(await text()).toContain('mintscope_ingest_alarm{code="holes"} 1');
    expect(await text()).not.toContain('secret');
  });
});

/** Codes in all sources, and those made of the names of programs. */
function raisedAlarms(): Set<string> {
  const folder = new URL('../', import.meta.url);
  const sources = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => readFileSync(new URL(name, folder), 'utf8'))
    .join('\n');
  const literal = [...sources.matchAll(/(?:alarm\(|alarms\.set\(|alarm:)\s*'([a-z_]+)'/g)].map(([, code]) => code!);
  return new Set([...literal, ...RATED_PROGRAMS.map((program) => `rate_drop_${program}`)]);
}
