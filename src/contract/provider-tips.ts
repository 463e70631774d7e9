import { type Static, Type } from 'typebox';
import { Count, Digits, Text } from './scalars.ts';

/** Tips of a window by who got them, as several features show them. */

export const ProviderTips = Type.Object(
  {
    provider: Text('Whose wallets were tipped.'),
    count: Count('Transactions that tipped it; one that tips two of its wallets counts once.'),
    lamports: Digits('All that it was tipped.'),
  },
  { $id: 'ProviderTips' },
);
export type ProviderTips = Static<typeof ProviderTips>;
