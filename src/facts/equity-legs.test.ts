import { describe, expect, it } from 'vitest';
import { accountOf, bought, moved, otherShare, share, sold, usdc, vaultsOf } from '../../test/support/equity-moves.ts';
import {
  buildBlock,
  type CallSpec,
  someAddress,
  type TokenSpec,
  transfer,
} from '../../test/support/transaction-builder.ts';
import type { Address } from '../chain/address.ts';
import { findProgramAddress } from '../chain/keys/pda.ts';
import { failingJournal } from '../kernel/journal.ts';
import { deriveFacts } from './derive.ts';
import type { BlockFacts } from './fact.ts';

const [trader, amm, aggregator] = [someAddress(), someAddress(), someAddress()];
const otherVault = someAddress();
const escrowed = [someAddress(), someAddress(), someAddress()];
/** An address of the registry that a person has the key of. */
const walletKey = '6qgwjhV2RQxcPffRdtQBTTEezRykQKXqhcDyv1z3r9tq' as Address;

function derive(tokens: readonly TokenSpec[], calls: readonly CallSpec[]): BlockFacts {
  return deriveFacts(buildBlock([{ signers: [trader], calls, tokens }]), failingJournal);
}

describe('a swap of an equity on a pool whose vaults own themselves', () => {
  const [shareVault, moneyVault] = [someAddress(), someAddress()];
  const ownVault = (vault: Address, mint: Address, delta: bigint): TokenSpec => ({
    ...moved(vault, mint, delta),
    account: vault,
  });
  const vaults = (shares: bigint, dollars: bigint) => [
    ownVault(shareVault, share, shares),
    ownVault(moneyVault, usdc, dollars),
  ];
  const call: CallSpec = { program: amm, accounts: [shareVault, moneyVault] };
  const row = { venue: 2, mint: share, pool: shareVault, quoteMint: usdc, trader };

  it('is read off both: 5.375442 dollars for 0.032109 shares', () => {
    const tokens = [...bought(trader, 3_210_900n, 5_375_442n), ...vaults(-3_210_900n, 5_375_442n)];
    const { swaps, transfers } = derive(tokens, [call]);
    expect(swaps).toMatchObject([
      { ...row, isBuy: true, tokenAmount: 3_210_900n, quoteAmount: 5_375_442n, priced: false, router: undefined },
    ]);
    expect(transfers).toEqual([]);
    const [ownShares, ownMoney] = vaultsOf(trader);
    const pay = transfer(ownMoney, moneyVault, trader, 5_375_442n);
    const giveBy = (authority: Address) => transfer(shareVault, ownShares, authority, 3_210_900n);
    // A person may own a token account that owns itself, and have somebody else move what is in it.
    for (const authority of [shareVault, trader]) {
      const told = derive(tokens, [{ ...call, calls: [pay, giveBy(authority)] }]);
      expect(told.swaps).toMatchObject([{ ...row, priced: authority === shareVault }]);
    }
    const sale = derive([...sold(trader, 5n, 9n), ...vaults(5n, -9n)], [call]);
    expect(sale.swaps).toMatchObject([{ ...row, isBuy: false, tokenAmount: 5n, quoteAmount: 9n }]);
  });

  it('names the router above the pool’s own program', () => {
    const routed = { program: aggregator, accounts: [shareVault, moneyVault], calls: [call] };
    const { swaps } = derive([...bought(trader, 5n, 9n), ...vaults(-5n, 9n)], [routed]);
    expect(swaps).toMatchObject([{ ...row, router: aggregator }]);
  });

  it('is one too where an address of the program owns each vault', () => {
    const [ofShares, ofMoney] = [programAddress(1), programAddress(2)];
    const tokens = [...bought(trader, 5n, 9n), moved(ofShares, share, -5n), moved(ofMoney, usdc, 9n)];
    const accounts = tokens.slice(2).map(({ account }) => account!);
    expect(derive(tokens, [{ program: amm, accounts }]).swaps).toMatchObject([{ ...row, pool: ofShares }]);
  });

  it('leaves out what the call keeps as a fee', () => {
    const fees = [ownVault(someAddress(), usdc, 1n), ownVault(someAddress(), share, 1n)];
    const tokens = [...bought(trader, 99n, 101n), ...vaults(-100n, 100n), ...fees];
    const accounts = [...fees.map(({ account }) => account!), shareVault, moneyVault];
    expect(derive(tokens, [{ program: amm, accounts }]).swaps).toMatchObject([
      { ...row, tokenAmount: 100n, quoteAmount: 100n },
    ]);
  });

  it('is not told a false price by dollars that a stranger sent to the owner of the shares', () => {
    const tokens = [...bought(trader, 5n, 10n), ...vaults(-5n, 9n), moved(shareVault, usdc, 1n)];
    expect(derive(tokens, [call]).swaps).toMatchObject([{ ...row, tokenAmount: 5n, quoteAmount: 9n }]);
  });

  it('belongs to the customer whose order a keeper fills', () => {
    const customer = someAddress();
    const order: CallSpec = { program: aggregator, accounts: [...vaultsOf(customer), shareVault, moneyVault] };
    const direct: CallSpec = { program: amm, accounts: [...vaultsOf(customer), shareVault, moneyVault] };
    const pay = transfer(vaultsOf(customer)[1], moneyVault, customer, 9n);
    const tokens = [...bought(customer, 4n, 9n), ...vaults(-5n, 9n), moved(trader, share, 1n)];
    for (const calls of [[{ ...order, calls: [call] }], [{ ...direct, calls: [pay] }]]) {
      expect(derive(tokens, calls).swaps).toMatchObject([{ ...row, tokenAmount: 5n, trader: customer }]);
    }
  });

  it('is each of four equal ones of the wallet that got the shares', () => {
    const pools = Array.from({ length: 4 }, () => [someAddress(), someAddress()] as const);
    const customers = pools.map(() => someAddress());
    const tokens = [
      ...pools.flatMap(([shares, money]) => [ownVault(shares, share, -5n), ownVault(money, usdc, 9n)]),
      ...customers.map((owner) => moved(owner, share, 5n)),
      moved(trader, usdc, -36n),
    ];
    const calls = pools.map(([shares, money], place) => ({
      program: amm,
      accounts: [shares, money],
      calls: [transfer(shares, accountOf(customers[place]!, share), shares, 5n)],
    }));
    const traderOf = new Map(derive(tokens, calls).swaps.map((swap) => [swap.pool, swap.trader]));
    expect(pools.map(([shares]) => traderOf.get(shares))).toEqual(customers);
  });

  const none: readonly (readonly [string, readonly TokenSpec[], readonly CallSpec[]])[] = [
    ['when no call has both', vaults(-5n, 9n), [{ ...call, accounts: [shareVault] }]],
    ['when both moved the same way', vaults(5n, 9n), [call]],
    [
      'when a wallet sold out of an escrow, whose fee vault got a part',
      escrow(ownVault),
      [{ program: amm, accounts: escrowed }],
    ],
    [
      'when one vault took the price of two equities',
      [...vaults(-5n, 9n), ownVault(otherVault, otherShare, -4n)],
      [call, { ...call, accounts: [otherVault, moneyVault] }],
    ],
  ];
  it.each(none)('is none %s', (_, tokens, calls) => {
    const signed = [moved(trader, share, 1n), moved(trader, usdc, -1n)];
    expect(derive([...tokens, ...signed], calls).swaps).toEqual([]);
  });
});

/** The shares' own account gives them, a wallet that did not sign is paid, and the market's vault keeps a fee. */
function escrow(ownVault: (vault: Address, mint: Address, delta: bigint) => TokenSpec): TokenSpec[] {
  const [shares, fee] = escrowed as [Address, Address];
  const seller = { ...moved(walletKey, usdc, 9n), account: escrowed[2]! };
  return [ownVault(shares, share, -5n), ownVault(fee, usdc, 1n), seller];
}

/** An address that no key belongs to. */
function programAddress(seed: number): Address {
  return findProgramAddress([Uint8Array.of(seed)], amm).address;
}
