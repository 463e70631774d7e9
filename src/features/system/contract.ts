import { type Static, Type } from 'typebox';
import { CostTable } from '../../contract/cost-table-schema.ts';
import { FREE, flatPrice } from '../../contract/price.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Address, Count, Digits, Timestamp } from '../../contract/scalars.ts';

export const HEALTH_STATES = ['ok', 'degraded', 'starting'] as const;

const Holes = Type.Object(
  {
    count: Count('Runs of slots that are missing.'),
    slots: Count('Slots in them.'),
    oldest_slot: Type.Optional(Count('First slot of the oldest.')),
    oldest_age_ms: Type.Optional(Count('How long the oldest is known.')),
    filling: Type.Boolean({ description: 'Whether they are being filled now.' }),
    unavailable_slots: Count('Of them, those that nobody could give lately.'),
  },
  { description: 'Slots between the first and the newest stored one that are not stored.' },
);

const Alarm = Type.Object({
  code: Type.String({ description: 'Stable; docs/monitoring.md says what to do.' }),
  since: Timestamp('When it began.'),
  message: Type.String({ description: 'What is wrong, with figures.' }),
});

export const Health = Type.Object(
  {
    status: Type.Enum([...HEALTH_STATES], {
      type: 'string',
      description: 'starting: not answering from data yet. degraded: answering, but behind or missing a part.',
    }),
    version: Type.Optional(Type.String({ description: 'Of the service.' })),
    source: Type.Optional(Type.String({ description: 'Where blocks come from.' })),
    indexed_slot: Type.Optional(Count('Newest slot an answer can contain; each tells its own in X-Indexed-Slot.')),
    lag_ms: Type.Optional(Count('Age of that slot.')),
    lag_slots: Type.Optional(Count('Slots that are answered from memory until the store has them.')),
    unconfirmed_blocks: Type.Optional(Count('Blocks in answers that the chain may still withdraw.')),
    holes: Type.Optional(Holes),
    alarms: Type.Optional(Type.Array(Alarm, { description: 'What is wrong now, oldest first.' })),
    reason: Type.Optional(Type.String({ description: 'Why the state is not ok.' })),
  },
  { $id: 'Health' },
);
export type Health = Static<typeof Health>;

/** Progress of the blocks that come in. */
export const IngestStatus = Type.Object({
  source: Type.String({ description: 'Where blocks come from.' }),
  head_slot: Type.Optional(Count('Newest slot derived.')),
  committed_slot: Type.Optional(Count('Newest slot that is stored.')),
  lag_slots: Count('Slots derived that are not stored yet.'),
  lag_ms: Type.Optional(Count('Age of the newest block.')),
  blocks_per_second: Type.Optional(Type.Number({ description: 'Over the last minute.' })),
  facts_per_second: Type.Optional(Type.Number({ description: 'Over the last minute.' })),
  unconfirmed_blocks: Count('Blocks in answers that the chain may still withdraw.'),
  withdrawn_blocks: Count('Blocks that it has withdrawn since the start.'),
  stale_mints: Count('Tokens whose positions are to be folded again.'),
  flush_ms_p50: Type.Optional(Type.Number({ description: 'Half of the flushes took less.' })),
  flush_ms_p99: Type.Optional(Type.Number({ description: '99 of 100 flushes took less.' })),
  holes: Holes,
  alarms: Type.Array(Alarm),
});
export type IngestStatus = Static<typeof IngestStatus>;

const Load = Type.Object({
  load1: Type.Number(),
  load5: Type.Number(),
  load15: Type.Number(),
  cpus: Count('Cores.'),
  mem_used: Count('Bytes.'),
  mem_total: Count('Bytes.'),
});

export const Stats = Type.Object(
  {
    tokens: Count('Tokens whose creation was seen.'),
    tokens_graduated: Count('Tokens whose migration was seen.'),
    tokens_stable: Count('Tokens with a non-SOL quote, stablecoin or any other.'),
    positions: Count('Positions of wallets, each counted once; in a large store the count may be minutes old.'),
    swaps: Count('Swaps indexed.'),
    tips: Count('Swaps with a tip.'),
    swaps_1m: Count('Swaps in the last minute.'),
    swaps_5m: Count('Swaps in the last five minutes.'),
    swaps_1h: Count('Swaps in the last hour.'),
    tokens_1h: Count('Tokens created in the last hour.'),
    tips_1h: Count('Tips in the last hour.'),
    lag_seconds: Type.Number({ description: 'Age of the newest indexed block.' }),
    db_size: Count('Bytes on disk.'),
    compressed_bytes: Count('Bytes of the columns, compressed.'),
    uncompressed_bytes: Count('Bytes of the columns, uncompressed.'),
    chunks: Count('Parts the store keeps.'),
    tables: Type.Array(Type.Object({ name: Type.String(), bytes: Count('On disk.') })),
    tips_by_provider: Type.Array(
      Type.Object({ provider: Type.String(), count: Count('Tips.'), lamports: Digits('Sum.') }),
    ),
    top_tokens: Type.Array(
      Type.Object({ mint: Address('Token.'), volume: Digits('Lamports, last hour.'), trades: Count('Last hour.') }),
    ),
    activity: Type.Array(Type.Object({ t: Type.Integer({ description: 'Unix seconds.' }), count: Count('Swaps.') })),
    server: Load,
    ingest: Type.Optional(IngestStatus),
  },
  { $id: 'Stats' },
);
export type Stats = Static<typeof Stats>;

const NO_HOLES = { count: 0, slots: 0, filling: false, unavailable_slots: 0 };

export const healthExample: Health = {
  status: 'ok',
  version: '1.0.0',
  source: 'yellowstone',
  indexed_slot: 351265123,
  lag_ms: 640,
  lag_slots: 2,
  unconfirmed_blocks: 0,
  holes: NO_HOLES,
  alarms: [],
};

export const alarmedExample: Health = {
  status: 'degraded',
  version: '1.0.0',
  source: 'yellowstone',
  indexed_slot: 351265123,
  lag_ms: 48_200,
  lag_slots: 2,
  unconfirmed_blocks: 0,
  holes: {
    count: 1,
    slots: 12,
    oldest_slot: 351264980,
    oldest_age_ms: 57_200,
    filling: true,
    unavailable_slots: 0,
  },
  alarms: [{ code: 'lagging', since: '2026-11-21T05:50:12Z', message: 'the newest block is 48 s old' }],
  reason: 'the newest block is 48 s old',
};

export const statsExample: Stats = {
  tokens: 1204331,
  tokens_graduated: 10233,
  tokens_stable: 812,
  positions: 18330021,
  swaps: 95211870,
  tips: 30120114,
  swaps_1m: 8120,
  swaps_5m: 40110,
  swaps_1h: 481009,
  tokens_1h: 1280,
  tips_1h: 150331,
  lag_seconds: 0.6,
  db_size: 21474836480,
  compressed_bytes: 20401094656,
  uncompressed_bytes: 91268055040,
  chunks: 214,
  tables: [{ name: 'swaps', bytes: 15032385536 }],
  tips_by_provider: [{ provider: 'Jito', count: 120331, lamports: '410233000000' }],
  top_tokens: [{ mint: '2i29BGMb2w6dDgTLiBQDuLd9SWd49g2PP1vg9AgfxQRs', volume: '412000000000', trades: 1893 }],
  activity: [{ t: 1785578400, count: 8120 }],
  server: { load1: 0.7, load5: 0.6, load15: 0.5, cpus: 2, mem_used: 3221225472, mem_total: 8589934592 },
  ingest: {
    source: 'yellowstone',
    head_slot: 351265123,
    committed_slot: 351265121,
    lag_slots: 2,
    lag_ms: 640,
    blocks_per_second: 2.5,
    facts_per_second: 1350.2,
    unconfirmed_blocks: 0,
    withdrawn_blocks: 0,
    stale_mints: 0,
    flush_ms_p50: 84.1,
    flush_ms_p99: 190.6,
    holes: NO_HOLES,
    alarms: [],
  },
};

export const costTableExample: CostTable = {
  version: 3,
  cost_version: 8,
  unit: 'credit',
  routes: {
    'GET /tokens': {
      default: 8,
      rule: '2 + 3*ceil(max(0, L-20)/50)',
      params: [{ name: 'limit', default: 100, max: 500 }],
    },
  },
};

export const getHealth = defineRoute({
  path: '/health',
  tag: 'system',
  name: 'getHealth',
  summary: 'Whether the service is up, how far behind the chain it is, and what it misses',
  description:
    'Always answers 200 while the process lives: `status` and `alarms` tell the rest. The same outside the prefix of the API, at `/health`; `/ready` beside it is 503 while the service warms up or is too far behind.',
  access: 'public',
  price: FREE,
  response: Health,
  cacheControl: 'no-store',
  examples: { healthy: healthExample, degraded: alarmedExample },
});

export const getStats = defineRoute({
  path: '/stats',
  tag: 'system',
  name: 'getStats',
  summary: 'Sizes, rates and load of the service',
  access: 'key',
  pages: true,
  price: flatPrice(1),
  response: Stats,
  examples: { stats: statsExample },
});

export const getCosts = defineRoute({
  path: '/credits/costs',
  tag: 'credits',
  name: 'getCosts',
  summary: 'What every route costs',
  description: 'Public. Sent with an ETag: ask again with If-None-Match.',
  access: 'public',
  price: FREE,
  response: CostTable,
  cacheControl: 'public, max-age=60',
  etag: true,
  examples: { costs: costTableExample },
});

export const SYSTEM_ROUTES: readonly RouteContract[] = [getHealth, getStats, getCosts];
