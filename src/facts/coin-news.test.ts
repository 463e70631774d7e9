import { describe, expect, it } from 'vitest';
import {
  buildBlock,
  type CallSpec,
  eventCall,
  someAddress,
  venueCall,
} from '../../test/support/transaction-builder.ts';
import { type Address, WSOL_MINT, ZERO_ADDRESS } from '../chain/address.ts';
import { MalformedWire } from '../chain/malformed-wire.ts';
import { failingJournal, type Oddity } from '../kernel/journal.ts';
import { deriveFacts } from './derive.ts';
import type { BlockFacts } from './fact.ts';

const mint = someAddress();
const user = someAddress();
const timestamp = 1_770_000_000n;

function derive(...calls: CallSpec[]): BlockFacts {
  return deriveFacts(buildBlock([{ signers: [user], calls }]), failingJournal);
}

const published = (event: CallSpec): CallSpec => venueCall('pump', 'set_creator', { creator: user }, {}, [event]);

describe('a creation', () => {
  const first = {
    name: 'Coin',
    symbol: 'COIN',
    uri: 'https://example.org/coin',
    mint,
    bondingCurve: someAddress(),
    user,
  };

  it('of the oldest kind leaves out what its event does not tell', () => {
    const { created } = derive(published(eventCall('pump', 'CreateEvent', first)));
    expect(created).toMatchObject([
      { mint, creator: user, name: 'Coin', supply: 1_000_000_000_000_000n, mayhem: false },
    ]);
    expect([created[0]!.feeCreator, created[0]!.virtualTokenReserves, created[0]!.tokenProgram]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('tells signer and fee creator apart, and the doubled supply of mayhem coins', () => {
    const creator = someAddress();
    const event = {
      ...first,
      creator,
      timestamp,
      virtualTokenReserves: 1_073_000_000_000_000n,
      virtualSolReserves: 30_000_000_000n,
      realTokenReserves: 793_100_000_000_000n,
      tokenTotalSupply: 1_000_000_000_000_000n,
      tokenProgram: someAddress(),
      isMayhemMode: true,
    };
    const { created } = derive(published(eventCall('pump', 'CreateEvent', event)));
    expect(created).toMatchObject([
      {
        creator: user,
        feeCreator: creator,
        mayhem: true,
        supply: 2_000_000_000_000_000n,
        virtualQuoteReserves: 30_000_000_000n,
      },
    ]);
  });
});

describe('a change of creator', () => {
  it('told by the curve and by the pool is told once', () => {
    const [oldCreator, newCreator] = [someAddress(), someAddress()];
    const curve = {
      timestamp,
      mint,
      bondingCurve: someAddress(),
      sharingConfig: someAddress(),
      oldCreator,
      newCreator,
    };
    const pool = {
      timestamp,
      baseMint: mint,
      pool: someAddress(),
      sharingConfig: someAddress(),
      oldCoinCreator: oldCreator,
      newCoinCreator: newCreator,
    };
    const { creatorChanges } = derive(
      published(eventCall('pump', 'MigrateBondingCurveCreatorEvent', curve)),
      published(eventCall('pump_amm', 'MigratePoolCoinCreatorEvent', pool)),
    );
    expect(creatorChanges).toMatchObject([
      { mint, previous: oldCreator, creator: newCreator, reason: 'migrate_creator' },
    ]);
  });
});

describe('a payout', () => {
  it('is a sweep, a collection, a claim or a distribution, and no fee of any swap', () => {
    const recipient = someAddress();
    const sweep = { timestamp, mint, bondingCurve: someAddress(), quoteMint: ZERO_ADDRESS, recipient, amount: 5n };
    const claim = { user: recipient, amount: 7n, timestamp, totalClaimed: 7n, totalCashbackEarned: 7n };
    const facts = derive(
      published(eventCall('pump', 'SweepBondingCurveFeeEvent', { ...sweep, bucket: 0 })),
      published(eventCall('pump', 'SweepBondingCurveFeeEvent', { ...sweep, bucket: 1 })),
      published(eventCall('pump', 'CollectCreatorFeeEvent', { timestamp, creator: recipient, creatorFee: 6n })),
      venueCall('pump_amm', 'claim_cashback', {}, { quoteMint: WSOL_MINT }, [
        eventCall('pump_amm', 'ClaimCashbackEvent', claim),
      ]),
    );
    expect(facts.payouts.map(({ kind, amount, mint: of }) => [kind, amount, of])).toEqual([
      ['protocol', 5n, mint],
      ['creator', 5n, mint],
      ['creator', 6n, undefined],
      ['cashback', 7n, undefined],
    ]);
    expect(facts.payouts.every((payout) => payout.recipient === recipient && payout.quoteMint === undefined)).toBe(
      true,
    );
    expect(facts.swaps).toEqual([]);
  });
});

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

describe('deriving', () => {
  it('takes the time of events when the block has none, and knows no neighbours without the whole block', () => {
    const event = eventCall('pump', 'SetCreatorEvent', { timestamp, mint, bondingCurve: someAddress(), creator: user });
    const block = buildBlock([{ signers: [user], calls: [published(event)] }], { blockTime: null, whole: false });
    const facts = deriveFacts(block, failingJournal);
    expect([facts.time, facts.creatorChanges[0]!.time]).toEqual([0, Number(timestamp)]);
  });

  it('passes over a transaction that makes no sense, and keeps the rest of its block', () => {
    const event = eventCall('pump', 'SetCreatorEvent', { timestamp, mint, bondingCurve: someAddress(), creator: user });
    const block = buildBlock([
      { signers: [user], calls: [] },
      { signers: [user], calls: [published(event)] },
    ]);
    const [first, second] = block.transactions;
    const broken = {
      ...first!,
      get tokenBalances(): never {
        throw new MalformedWire('cut off');
      },
    };
    const notes: Oddity[] = [];
    const facts = deriveFacts({ ...block, transactions: [broken, second!] }, { note: (oddity) => notes.push(oddity) });
    expect(notes).toMatchObject([{ code: 'malformed_transaction', detail: { blockIndex: 0 } }]);
    expect(facts.creatorChanges).toHaveLength(1);
  });
});
