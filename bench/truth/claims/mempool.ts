import type { MempoolBuyers } from '../../../src/features/launch/contract-shapes.ts';
import type { ChainTruth } from '../chain.ts';
import type { Claim } from '../claim.ts';

/** Claims of /mempool-buyers about wallets that tried to buy a token that was not there yet. */
export function mempoolClaims({ tokens }: ChainTruth, { events }: MempoolBuyers): Claim[] {
  const words = (isEarly: (slot: number, created: number) => boolean) =>
    new Set(
      tokens.flatMap(({ attempts, creation, mint }) =>
        attempts
          .filter(({ isBuy, slot }) => isBuy === true && isEarly(slot, creation.slot))
          .map(({ trader }) => `${mint}/${trader}`),
      ),
    );
  return [
    {
      name: 'mempool buyers',
      by: 'rule',
      truth: words((slot, created) => slot < created),
      claimed: new Set(events.map(({ mint, wallet }) => `${mint}/${wallet}`)),
      naive: words((slot, created) => slot <= created),
      answer: undefined,
    },
  ];
}
