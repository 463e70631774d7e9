import { type Static, Type } from 'typebox';
import { Count, Digits, Timestamp } from './scalars.ts';

export const HolderStats = Type.Object(
  {
    source: Type.Enum(['swap_estimate', 'onchain'], {
      type: 'string',
      description:
        '`swap_estimate`: what trades alone tell, transfers are not in it. `onchain`: every token account of the mint, confirmed, when an RPC node is configured.',
    }),
    slot: Type.Optional(Count('Slot of the snapshot; onchain only.')),
    updated_at: Timestamp('When it was made.'),
    holders: Count('Wallets with a balance. Curve, pools, the burn address and protocol actors are not counted.'),
    held: Digits('Raw units of all of them.'),
    top10: Digits('Raw units of the ten largest.'),
    top25: Digits('Raw units of the 25 largest.'),
  },
  { $id: 'HolderStats' },
);
export type HolderStats = Static<typeof HolderStats>;

/** What `dev` counts to. */
export const DEV_LAUNCHES_MAX = 100;

export const Counters = Type.Object(
  {
    updated_at: Timestamp('When it was made.'),
    holder_stats: HolderStats,
    bundle: Type.Optional(
      Count('Bundles in /launch, over its first 150 swaps; absent where neighbours of some are not known.'),
    ),
    dev: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: DEV_LAUNCHES_MAX,
        description: 'Other launches of the same dev, counted to 100; absent while the dev is not known.',
      }),
    ),
  },
  { $id: 'Counters' },
);
export type Counters = Static<typeof Counters>;
