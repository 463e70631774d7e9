import { expect, it } from 'vitest';
import { address } from '../../../test/support/token-world-rows.ts';
import { reconstruct } from './balance-rules.ts';
import { unfoldedResults } from './result-rules.ts';
import type { StrictResult, WalletFlow } from './rule-rows.ts';

const [MOVED, BEGUN, TRADED] = [address(21), address(22), address(23)];
const flow = (wallet: WalletFlow['wallet']): WalletFlow => ({
  ...{ wallet, received: 0n, sent: 100n, burnt: 0n, provided: 0n, unexplained: 0n },
});
const result: StrictResult = {
  ...{
    wallet: BEGUN,
    slot: 9,
    quote_mint: '',
    quotes: 1,
    basis: 7n,
    basis_tokens: 7n,
    realized_pnl: 50n,
    pnl_known: true,
  },
};

it('of wallets that moved tokens are not known while holdings are folded for the first time, begun or not', () => {
  const results = unfoldedResults([flow(MOVED), flow(BEGUN)], [result]);
  const wallets = reconstruct({ positions: [], flows: [flow(MOVED), flow(BEGUN)], results, isNobody: () => false });
  for (const wallet of [MOVED, BEGUN]) {
    expect(wallets.get(wallet)?.result).toMatchObject({ wallet, pnl_known: false, basis: 0n, basis_tokens: 0n });
  }
  expect(results.some(({ wallet }) => wallet === TRADED)).toBe(false);
});
