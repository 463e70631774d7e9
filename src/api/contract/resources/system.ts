import { type Static, Type } from 'typebox';
import { Address, Count, Digits } from './scalars.ts';

export const HEALTH_STATES = ['ok', 'degraded', 'starting'] as const;

export const Health = Type.Object(
  {
    status: Type.Enum([...HEALTH_STATES], {
      type: 'string',
      description: 'starting: not answering from data yet. degraded: answering, but behind or missing a part.',
    }),
    source: Type.Optional(Type.String({ description: 'Where blocks come from.' })),
    indexed_slot: Type.Optional(Count('Newest slot an answer can contain.')),
    lag_ms: Type.Optional(Count('Age of that slot.')),
    reason: Type.Optional(Type.String({ description: 'Why the state is not ok.' })),
  },
  { $id: 'Health' },
);
export type Health = Static<typeof Health>;

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
  },
  { $id: 'Stats' },
);
export type Stats = Static<typeof Stats>;
