import { type Static, Type } from 'typebox';
import { Address, Count, Digits, Timestamp } from './scalars.ts';

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
    source: Type.Optional(Type.String({ description: 'Where blocks come from.' })),
    indexed_slot: Type.Optional(Count('Newest slot an answer can contain.')),
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

/** How blocks come in. */
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
    positions: Count('Positions of wallets.'),
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
