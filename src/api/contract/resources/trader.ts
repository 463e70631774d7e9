import { type Static, Type } from 'typebox';
import { Holder } from './holder.ts';
import { Address, Count, Mark, Timestamp } from './scalars.ts';
import { TokenSnapshot } from './token.ts';

const { symbol: _symbol, name: _name, ...positionFields } = Holder.properties;

/** A holder's row without the token's name, of anybody who traded. */
export const Trader = Type.Object(positionFields, { $id: 'Trader' });
export type Trader = Static<typeof Trader>;

export const HISTORY_INTERVALS = ['5m', '1h', '1d'] as const;

export const HolderCount = Type.Object(
  {
    time: Timestamp('Start of the bucket; buckets are aligned to the Unix epoch.'),
    holders: Count('Wallets that hold by trades at the end of the bucket, or now in the last one.'),
  },
  { $id: 'HolderCount' },
);
export type HolderCount = Static<typeof HolderCount>;

export const HolderHistory = Type.Object({
  data: Type.Array(HolderCount),
  partial: Type.Optional(
    Mark('Not all of the token’s swaps can be read: wallets that left and came back count as never gone.'),
  ),
});
export type HolderHistory = Static<typeof HolderHistory>;

export const TokenBatch = Type.Object({
  data: Type.Array(TokenSnapshot, { description: 'Snapshots as GET /tokens/{mint} answers them, in the order asked.' }),
  missing: Type.Array(Address('Token address.'), { description: 'Mints of which nothing is known.' }),
});
export type TokenBatch = Static<typeof TokenBatch>;
