import { type Static, Type } from 'typebox';
import { Count, Digits, Mark, Timestamp } from './scalars.ts';

export const HolderStats = Type.Object(
  {
    source: Type.Enum(['swap_estimate', 'onchain'], {
      type: 'string',
      description:
        '`swap_estimate`: trades, and what transactions with a trade moved besides; sends are not in it. `onchain`: every token account of the mint, confirmed, when an RPC node is configured.',
    }),
    slot: Type.Optional(Count('Slot of the snapshot; onchain only.')),
    updated_at: Timestamp('When it was made.'),
    holders: Type.Optional(
      Count(
        'Wallets with a balance. Curve, pools, the burn address and protocol actors are not counted. Absent, as the three below, while no holder is known and not all is known either.',
      ),
    ),
    held: Type.Optional(Digits('Raw units of all of them.')),
    top10: Type.Optional(Digits('Raw units of the ten largest.')),
    top25: Type.Optional(Digits('Raw units of the 25 largest.')),
    partial: Type.Optional(
      Mark(
        'Not all is known: blocks of the token’s life are missing, or came late and are not counted in yet, its movements are older than what is kept, or wallets are left out whose balance is not known.',
      ),
    ),
  },
  { $id: 'HolderStats' },
);
export type HolderStats = Static<typeof HolderStats>;

/** Made-up but consistent answers for the documentation. */
export const holderStatsExample: HolderStats = {
  source: 'swap_estimate',
  updated_at: '2026-08-01T10:00:02.104Z',
  holders: 31,
  held: '151612903225806',
  top10: '120511903225806',
  top25: '147982903225806',
};

export const onchainStatsExample: HolderStats = {
  source: 'onchain',
  slot: 351265126,
  updated_at: '2026-08-01T10:00:03.417Z',
  holders: 34,
  held: '151612903225806',
  top10: '119100903225806',
  top25: '146770903225806',
};
