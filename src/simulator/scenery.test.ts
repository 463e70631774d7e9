import { describe, expect, it } from 'vitest';
import { equity, exchangeWallet, quoteMint, routerName, tipProvider } from '../programs/registry/index.ts';
import { EQUITIES, EXCHANGE_WALLETS, ROUTERS, TIP_WALLETS, USDC_DECIMALS, USDC_MINT } from './scenery.ts';

describe('the scenery', () => {
  it('is known to the registry, so that simulated rows carry real names', () => {
    for (const address of TIP_WALLETS) expect(tipProvider(address)).toBeDefined();
    for (const address of ROUTERS) expect(routerName(address)).toBeDefined();
    for (const address of EXCHANGE_WALLETS) expect(exchangeWallet(address)).toBeDefined();
    for (const { decimals, mint } of EQUITIES) expect(equity(mint)?.decimals).toBe(decimals);
    expect(quoteMint(USDC_MINT)?.decimals).toBe(USDC_DECIMALS);
  });
});
