import type { Address } from '../../../src/chain/address.ts';
import { associatedAccount } from '../../../src/simulator/programs/token.ts';
import type { TokenAnswers } from '../ask.ts';
import type { ChainTruth, TokenTruth } from '../chain.ts';
import type { Claim } from '../claim.ts';

/** Every balance that /intelligence tells, beside what the bank holds, and what trades alone would tell. */
export function balanceClaims(token: TokenTruth, { intelligence }: TokenAnswers, { world }: ChainTruth): Claim[] {
  const coin = world.market.coins.find(({ token: { mint } }) => mint === token.mint);
  if (coin === undefined || !intelligence.supported) return [];
  const traded = new Map<string, bigint>();
  for (const { isBuy, tokenAmount, trader } of token.swaps) {
    traded.set(trader, (traded.get(trader) ?? 0n) + (isBuy ? tokenAmount : -tokenAmount));
  }
  const held = (wallet: string) =>
    world.bank.tokenAccount(associatedAccount(wallet as Address, coin.token))?.amount ?? 0n;
  const { wallets } = intelligence;
  const told = wallets.flatMap(({ token_balance: balance, wallet }) =>
    balance === undefined ? [] : [`${wallet}=${balance}`],
  );
  return [
    {
      name: 'balances',
      by: 'rule',
      truth: new Set(wallets.map(({ wallet }) => `${wallet}=${held(wallet)}`)),
      claimed: new Set(told),
      naive: new Set(wallets.map(({ wallet }) => `${wallet}=${traded.get(wallet) ?? 0n}`)),
      answer: { ...intelligence, wallets: undefined, events: undefined },
    },
  ];
}
