import { describe, expect, it } from 'vitest';
import {
  buildBlock,
  type CallSpec,
  eventCall,
  someAddress,
  venueCall,
} from '../../test/support/transaction-builder.ts';
import { type Address, WSOL_MINT } from '../chain/address.ts';
import { failingJournal } from '../kernel/journal.ts';
import { deriveFacts } from './derive.ts';
import type { BlockFacts } from './fact.ts';

const mint = someAddress();
const user = someAddress();
const timestamp = 1_770_000_000n;

function derive(...calls: CallSpec[]): BlockFacts {
  return deriveFacts(buildBlock([{ signers: [user], calls }]), failingJournal);
}

describe('liquidity', () => {
  const amounts = {
    lpTokenAmountOut: 30n,
    maxBaseAmountIn: 1n,
    maxQuoteAmountIn: 1n,
    baseAmountIn: 10n,
    quoteAmountIn: 20n,
  };
  const deposit = (pool: Address) => ({
    timestamp,
    ...amounts,
    userBaseTokenReserves: 0n,
    userQuoteTokenReserves: 0n,
    poolBaseTokenReserves: 0n,
    poolQuoteTokenReserves: 0n,
    lpMintSupply: 0n,
    pool,
    user,
    userBaseTokenAccount: someAddress(),
    userQuoteTokenAccount: someAddress(),
    userPoolTokenAccount: someAddress(),
  });

  it('is told by token and quote, whichever way the pool orders them, and explains what its user moved', () => {
    const pool = someAddress();
    const shares = someAddress();
    const call = (baseMint: Address, quoteMint: Address): CallSpec =>
      venueCall(
        'pump_amm',
        'deposit',
        { lpTokenAmountOut: 1n, maxBaseAmountIn: 1n, maxQuoteAmountIn: 1n },
        { pool, baseMint, quoteMint, lpMint: shares },
        [eventCall('pump_amm', 'DepositEvent', deposit(pool))],
      );
    expect(derive(call(mint, WSOL_MINT)).liquidity).toMatchObject([
      { mint, tokenAmount: 10n, quoteAmount: 20n, lpAmount: 30n },
    ]);
    expect(derive(call(WSOL_MINT, mint)).liquidity).toMatchObject([{ mint, tokenAmount: 20n, quoteAmount: 10n }]);
    const tokens = [
      { mint, owner: user, pre: 10n, post: 0n },
      { mint: shares, owner: user, pre: 0n, post: 30n },
    ];
    const block = buildBlock([{ signers: [user], calls: [call(mint, WSOL_MINT)], tokens }]);
    expect(deriveFacts(block, failingJournal).unexplained).toEqual([]);
  });

  it('taken out comes back to its user, whichever way the pool orders its mints', () => {
    const pool = someAddress();
    const lpMint = someAddress();
    const { lpTokenAmountOut, maxBaseAmountIn, maxQuoteAmountIn, baseAmountIn, quoteAmountIn, ...shared } =
      deposit(pool);
    const event = {
      ...shared,
      lpTokenAmountIn: 30n,
      minBaseAmountOut: 1n,
      minQuoteAmountOut: 1n,
      baseAmountOut: 10n,
      quoteAmountOut: 20n,
    };
    const args = { lpTokenAmountIn: 30n, minBaseAmountOut: 1n, minQuoteAmountOut: 1n };
    const withdrawal = (baseMint: Address, quoteMint: Address) => {
      const accounts = { pool, baseMint, quoteMint, lpMint };
      const tokens = [
        { mint, owner: user, pre: 0n, post: baseMint === mint ? 10n : 20n },
        { mint: lpMint, owner: user, pre: 30n, post: 0n },
      ];
      const calls = [
        venueCall('pump_amm', 'withdraw', args, accounts, [eventCall('pump_amm', 'WithdrawEvent', event)]),
      ];
      return deriveFacts(buildBlock([{ signers: [user], calls, tokens }]), failingJournal);
    };
    const given = { mint, pool, user, isDeposit: false, lpAmount: 30n };
    const plain = withdrawal(mint, WSOL_MINT);
    expect(plain.liquidity).toMatchObject([{ ...given, tokenAmount: 10n, quoteAmount: 20n }]);
    const inverted = withdrawal(WSOL_MINT, mint);
    expect(inverted.liquidity).toMatchObject([{ ...given, tokenAmount: 20n, quoteAmount: 10n }]);
    for (const facts of [plain, inverted]) expect([facts.swaps, facts.unexplained]).toEqual([[], []]);
  });

  it('explains both sides of a pool between two coins, and nothing more', () => {
    const other = someAddress();
    const pool = someAddress();
    const call = venueCall(
      'pump_amm',
      'deposit',
      { lpTokenAmountOut: 1n, maxBaseAmountIn: 1n, maxQuoteAmountIn: 1n },
      { pool, baseMint: mint, quoteMint: other },
      [eventCall('pump_amm', 'DepositEvent', deposit(pool))],
    );
    const given = (left: bigint) => [
      { mint, owner: user, pre: 10n, post: 0n },
      { mint: other, owner: user, pre: 25n, post: left },
    ];
    const unexplained = (left: bigint) =>
      deriveFacts(buildBlock([{ signers: [user], calls: [call], tokens: given(left) }]), failingJournal).unexplained;
    expect(unexplained(5n)).toEqual([]);
    expect(unexplained(4n)).toMatchObject([{ owner: user, mint: other, delta: -1n }]);
  });

  it.each([
    ['the token as its base', (token: Address) => ({ baseMint: token, quoteMint: WSOL_MINT }), false],
    ['SOL as its base', (token: Address) => ({ baseMint: WSOL_MINT, quoteMint: token }), true],
    ['another coin as its quote', (token: Address) => ({ baseMint: token, quoteMint: someAddress() }), false],
  ])('explains what a maker gave to a pool of his own with %s', (_, mintsOf, inverted) => {
    const mints = mintsOf(mint);
    const call = venueCall(
      'pump_amm',
      'create_pool',
      {
        index: 1,
        baseAmountIn: 10n,
        quoteAmountIn: 20n,
        coinCreator: user,
        isMayhemMode: false,
        isCashbackCoin: false,
        creatorFeeBps: 0n,
        canEditCreatorFee: false,
        isHolderReward: false,
      },
      mints,
      [eventCall('pump_amm', 'CreatePoolEvent', { ...createPoolEvent(), ...mints })],
    );
    const tokens = [
      { mint: mints.baseMint, owner: user, pre: 10n, post: 0n },
      { mint: mints.quoteMint, owner: user, pre: 20n, post: 0n },
    ];
    const facts = deriveFacts(buildBlock([{ signers: [user], calls: [call], tokens }]), failingJournal);
    expect(facts.pools).toMatchObject([{ inverted, canonical: false, tokenAmount: inverted ? 20n : 10n }]);
    expect(facts.unexplained).toEqual([]);
  });

  const createPoolEvent = () => ({
    timestamp,
    index: 1,
    creator: user,
    baseMintDecimals: 6,
    quoteMintDecimals: 9,
    baseAmountIn: 10n,
    quoteAmountIn: 20n,
    poolBaseAmount: 10n,
    poolQuoteAmount: 20n,
    minimumLiquidity: 100n,
    initialLiquidity: 200n,
    lpTokenAmountOut: 100n,
    poolBump: 255,
    pool: someAddress(),
    lpMint: someAddress(),
    userBaseTokenAccount: someAddress(),
    userQuoteTokenAccount: someAddress(),
    coinCreator: user,
    isMayhemMode: false,
    creatorFeeBps: 0n,
    canEditCreatorFee: false,
    isHolderReward: false,
  });
});
