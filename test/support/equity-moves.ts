import type { Address } from '../../src/chain/address.ts';
import { EQUITIES, QUOTE_MINTS } from '../../src/programs/registry/mints.ts';
import { type CallSpec, someAddress, type TokenSpec, transfer } from './transaction-builder.ts';

export const [share, otherShare] = EQUITIES.map(({ mint }) => mint) as [Address, Address];
const mintOf = (name: string) => QUOTE_MINTS.find(({ symbol }) => symbol === name)!.mint;
export const [usdc, usdt] = [mintOf('USDC'), mintOf('USDT')];

const accounts = new Map<string, Address>();

/** The account in which the owner has a mint, always the same one. */
export function accountOf(owner: Address, mint: Address): Address {
  const key = `${owner}/${mint}`;
  const account = accounts.get(key) ?? someAddress();
  accounts.set(key, account);
  return account;
}

/** An owner's balance that moved by so many raw units. */
export function moved(owner: Address, mint: Address, delta: bigint): TokenSpec {
  const decimals = mint === usdc || mint === usdt ? 6 : 8;
  return { account: accountOf(owner, mint), owner, mint, decimals, pre: 10n ** 12n, post: 10n ** 12n + delta };
}

/** Shares that the owner got, and the dollars it gave for them. */
export function bought(owner: Address, shares: bigint, dollars: bigint): TokenSpec[] {
  return [moved(owner, share, shares), moved(owner, usdc, -dollars)];
}

export function sold(owner: Address, shares: bigint, dollars: bigint): TokenSpec[] {
  return bought(owner, -shares, -dollars);
}

/** The owner's accounts of shares and of dollars. */
export function vaultsOf(owner: Address): [Address, Address] {
  return [accountOf(owner, share), accountOf(owner, usdc)];
}

/** What the owner of a pool gives and gets in a call of its program: by transfers that the program signs for it. */
export function swapCall(
  program: Address,
  pool: Address,
  { trader, shares, dollars }: { readonly trader: Address; readonly shares: bigint; readonly dollars: bigint },
): CallSpec {
  const [[shareVault, moneyVault], [ownShares, ownMoney]] = [vaultsOf(pool), vaultsOf(trader)];
  const calls =
    shares > 0n
      ? [transfer(ownMoney, moneyVault, trader, dollars), transfer(shareVault, ownShares, pool, shares)]
      : [transfer(ownShares, shareVault, trader, -shares), transfer(moneyVault, ownMoney, pool, -dollars)];
  return { program, accounts: [shareVault, moneyVault], calls };
}
