import { describe, expect, it } from 'vitest';
import {
  buildBlock,
  type CallSpec,
  customError,
  lamportTransfer,
  someAddress,
  type TransactionSpec,
  venueCall,
} from '../../test/support/transaction-builder.ts';
import { type Address, WSOL_MINT } from '../chain/address.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../chain/well-known.ts';
import { failingJournal } from '../kernel/journal.ts';
import { bondingCurveAddress, canonicalPoolAddress } from '../programs/pump/addresses.ts';
import { MAYHEM_SOL_VAULT, PUMP_PROGRAM } from '../programs/pump/ids.ts';
import { PUMP_AMM_PROGRAM } from '../programs/pump-amm/ids.ts';
import { TIP_PROVIDERS } from '../programs/registry/index.ts';
import { deriveFacts } from './derive.ts';
import type { Attempt } from './fact.ts';

const payer = someAddress();
const router = someAddress();
const mint = someAddress();

function attemptsOf(spec: Partial<TransactionSpec>): readonly Attempt[] {
  const block = buildBlock([{ signers: [payer], calls: [], error: customError(0, 6002), ...spec }]);
  const facts = deriveFacts(block, failingJournal);
  expect(facts.swaps).toEqual([]);
  return facts.attempts;
}

/** The accounts of one hop of a multi-hop swap. */
function multiHop(base: Address, quote: Address): Address[] {
  return [base, quote, someAddress(), someAddress(), someAddress()];
}

function curveBuy(user: Address = payer): CallSpec {
  return venueCall('pump', 'buy', { amount: 5n, maxSolCost: 6n }, { mint, user });
}

/** A program's lines from its call to its failure, around those of what it called. */
function failed(program: Address, code: number, inner: readonly string[] = []): string[] {
  return [
    `Program ${program} invoke [1]`,
    ...inner,
    `Program ${program} consumed 1000 of 200000 compute units`,
    `Program ${program} failed: custom program error: 0x${code.toString(16)}`,
  ];
}

describe('an attempt', () => {
  it('that the venue turned down has the decoded reason', () => {
    const [attempt] = attemptsOf({ calls: [curveBuy()], logs: failed(PUMP_PROGRAM, 6002) });
    expect(attempt).toMatchObject({
      mint,
      venue: 0,
      isBuy: true,
      trader: payer,
      outcome: 'rejected',
      why: 'TooMuchSolRequired',
      errorCode: 6002,
      program: PUMP_PROGRAM,
      router: undefined,
      ixIndex: 0,
    });
  });

  it('that the venue turned down under a router is rejected all the same', () => {
    const logs = failed(router, 6002, failed(PUMP_PROGRAM, 6002));
    const [attempt] = attemptsOf({ calls: [{ program: router, calls: [curveBuy()] }], logs });
    expect(attempt).toMatchObject({ outcome: 'rejected', why: 'TooMuchSolRequired', program: PUMP_PROGRAM, router });
  });

  it('that failed in a program the venue called names the error as that program does', () => {
    const logs = failed(PUMP_PROGRAM, 1, failed(TOKEN_PROGRAM, 1));
    const [attempt] = attemptsOf({ calls: [curveBuy()], logs, error: customError(0, 1) });
    expect(attempt).toMatchObject({ outcome: 'rejected', why: 'InsufficientFunds', program: PUMP_PROGRAM });
  });

  it('that its router gave up after the venue agreed is a self abort', () => {
    const done = [`Program ${PUMP_PROGRAM} invoke [2]`, `Program ${PUMP_PROGRAM} success`];
    const logs = failed(router, 6002, done);
    const [attempt] = attemptsOf({ calls: [{ program: router, calls: [curveBuy()] }], logs });
    // The code is the router's own: what the venue would call it means nothing.
    expect(attempt).toMatchObject({ outcome: 'self_abort', why: '', program: router });
  });

  it('that ran out of lamports before any program decided is of unknown outcome', () => {
    const logs = failed(SYSTEM_PROGRAM, 1);
    const [attempt] = attemptsOf({ calls: [curveBuy()], logs, error: customError(0, 1) });
    expect(attempt).toMatchObject({ outcome: 'failed_unknown', why: 'ResultWithNegativeLamports' });
  });

  it.each([
    ['were not recorded', undefined],
    ['were cut off', [`Program ${router} invoke [1]`, 'Log truncated']],
  ])('whose logs %s is told by the failed instruction', (_, logs) => {
    const spec = logs === undefined ? {} : { logs };
    expect(attemptsOf({ calls: [curveBuy()], ...spec })[0]).toMatchObject({
      outcome: 'rejected',
      why: 'TooMuchSolRequired',
    });
    const called = { program: router, calls: [curveBuy()] };
    expect(attemptsOf({ calls: [called], ...spec })[0]).toMatchObject({ outcome: 'failed_unknown', program: router });
  });

  it('is not told by what a program only logs', () => {
    const logs = failed(router, 6002, ['Program log: failed: see above', 'Program log: Program failed: 0x1']);
    const [attempt] = attemptsOf({ calls: [{ program: router, calls: [curveBuy()] }], logs });
    expect(attempt).toMatchObject({ outcome: 'self_abort', program: router });
  });

  describe('through a router’s address, which signed nothing,', () => {
    const [authority, customer, idle] = [someAddress(), someAddress(), someAddress()];
    const signers = [payer, idle, customer];
    const traderOf = (accounts: readonly Address[], spec: Partial<TransactionSpec> = {}) =>
      attemptsOf({ signers, calls: [{ program: router, accounts, calls: [curveBuy(authority)] }], ...spec })[0]!.trader;

    it('is of the fee payer when nobody else signed', () => {
      expect(traderOf([authority], { signers: [payer] })).toBe(payer);
    });

    it('is of the signer whom the router’s call names', () => {
      expect(traderOf([authority, customer, payer])).toBe(customer);
      expect(traderOf([authority])).toBe(payer);
    });

    it('is of the one among them who holds the coin', () => {
      const tokens = [{ mint, owner: customer, pre: 5n, post: 5n }];
      expect(traderOf([payer, authority, customer], { tokens })).toBe(customer);
    });

    it('is of the nearest caller’s signer', () => {
      const inner = { program: someAddress(), accounts: [customer], calls: [curveBuy(authority)] };
      expect(traderOf([], { calls: [{ program: router, accounts: [idle], calls: [inner] }] })).toBe(customer);
    });

    it('stays of its user when that is the protocol itself', () => {
      expect(traderOf([], { calls: [curveBuy(MAYHEM_SOL_VAULT)] })).toBe(MAYHEM_SOL_VAULT);
    });
  });

  it('that failed outside its instructions tells how', () => {
    const error = {
      kind: 'InsufficientFundsForRent',
      instructionIndex: undefined,
      instructionError: undefined,
      customCode: undefined,
    };
    expect(attemptsOf({ calls: [curveBuy()], error })[0]).toMatchObject({
      outcome: 'failed_unknown',
      why: 'InsufficientFundsForRent',
      program: undefined,
    });
  });

  it('tells the tip as declared, the fee as paid, and no row of a block sums the tip', () => {
    const tipAccount = TIP_PROVIDERS[0]!.accounts[0]!.address;
    const calls = [lamportTransfer(payer, tipAccount, 70_000n), curveBuy()];
    const block = buildBlock([{ signers: [payer], calls, error: customError(1, 6002), fee: 9_000n }]);
    const facts = deriveFacts(block, failingJournal);
    expect(facts.attempts[0]).toMatchObject({ tip: 70_000n, tipWallet: tipAccount, networkFee: 9_000n });
    expect(facts.economics).toMatchObject({ failed: 1, fees: 9_000n, tips: 0n, tipsByWallet: [] });
  });

  it('tells how much of its tips those who were to pay them had, payer by payer, and what it signed for', () => {
    const tipAccount = TIP_PROVIDERS[0]!.accounts[0]!.address;
    const [friend, beggar] = [someAddress(), someAddress()];
    const calls = [
      curveBuy(),
      lamportTransfer(payer, tipAccount, 10n ** 15n),
      lamportTransfer(payer, tipAccount, 10n ** 15n),
      lamportTransfer(friend, tipAccount, 40n),
      lamportTransfer(beggar, tipAccount, 2n ** 63n),
    ];
    const had = (account: Address, pre: bigint) => ({ account, pre, post: pre });
    const lamports = [had(payer, 900n), had(friend, 1_000n), had(beggar, 0n)];
    const [attempt] = attemptsOf({ signers: [payer, friend, beggar], calls, lamports });
    expect(attempt).toMatchObject({ tip: 2n * 10n ** 15n + 40n + 2n ** 63n, tipPayable: 940n, signatures: 3 });
  });

  it('on both sides of one mint is one row', () => {
    const sell = venueCall('pump', 'sell', { amount: 5n, minSolOutput: 6n }, { mint, user: payer });
    expect(attemptsOf({ calls: [curveBuy(), sell] })).toHaveLength(1);
  });

  it('in several hops of one instruction has a row and a place for each mint, and whole costs on each', () => {
    const call = venueCall('pump_amm', 'multi_hop_swap', { amountIn: 1n, minAmountOut: 1n }, { user: payer });
    const other = someAddress();
    const calls = [
      { ...call, accounts: [...call.accounts!, ...multiHop(mint, WSOL_MINT), ...multiHop(other, mint)] },
      { program: router },
    ];
    expect(attemptsOf({ calls })).toMatchObject([
      { mint, ixIndex: 0, trader: payer, router: undefined, networkFee: 5_000n },
      { mint: other, ixIndex: 2, trader: payer, router: undefined, networkFee: 5_000n },
    ]);
  });

  it('in an inverted pool flips the side', () => {
    const accounts = { user: payer, baseMint: WSOL_MINT, quoteMint: mint };
    const call = venueCall('pump_amm', 'buy', { baseAmountOut: 1n, maxQuoteAmountIn: 2n }, accounts);
    expect(attemptsOf({ calls: [call] })[0]).toMatchObject({ venue: 1, mint, isBuy: false });
  });

  it('is none when the failed instruction was no trade', () => {
    const curve = bondingCurveAddress(mint);
    const call = venueCall('pump', 'collect_creator_fee', {}, {});
    const calls = [{ ...call, accounts: [...call.accounts!, mint, curve] }];
    expect(attemptsOf({ calls, tokens: [{ mint, owner: curve, pre: 1n, post: 1n }] })).toEqual([]);
  });
});

describe('an attempt that stopped before the venue was called', () => {
  const logs = failed(router, 1);
  const held = { mint, decimals: 6, pre: 9n, post: 9n };
  const touching = (...accounts: Address[]): CallSpec[] => [{ program: router, accounts }];

  it('is found by the curve among the keys', () => {
    const curve = bondingCurveAddress(mint);
    const attempts = attemptsOf({
      calls: touching(PUMP_PROGRAM, mint, curve),
      tokens: [{ ...held, owner: curve }],
      logs,
    });
    expect(attempts).toMatchObject([
      { mint, venue: 0, isBuy: undefined, trader: payer, router, outcome: 'self_abort', program: router, ixIndex: 1 },
    ]);
  });

  it('has an unknown outcome when neither logs nor calls were recorded', () => {
    const curve = bondingCurveAddress(mint);
    const calls = touching(PUMP_PROGRAM, mint, curve);
    const tokens = [{ ...held, owner: curve }];
    expect(attemptsOf({ calls, tokens })).toMatchObject([{ outcome: 'self_abort', program: router }]);
    expect(attemptsOf({ calls, tokens, hasInnerInstructions: false })).toMatchObject([{ outcome: 'failed_unknown' }]);
  });

  it('is found by the canonical pool among the keys, which wins over the curve', () => {
    const pool = canonicalPoolAddress(mint, undefined);
    const calls = touching(PUMP_PROGRAM, PUMP_AMM_PROGRAM, mint, bondingCurveAddress(mint), pool);
    expect(attemptsOf({ calls, tokens: [{ ...held, owner: pool }], logs })).toMatchObject([{ mint, venue: 1 }]);
  });

  it('is found by another pool that holds both sides', () => {
    const pool = someAddress();
    const tokens = [
      { ...held, owner: pool },
      { ...held, mint: WSOL_MINT, decimals: 9, owner: pool },
    ];
    const calls = touching(PUMP_AMM_PROGRAM, mint, pool);
    expect(attemptsOf({ calls, tokens, logs })).toMatchObject([{ mint, venue: 1 }]);
  });

  it('is not guessed from the wallet that holds both, nor without the mint or the venue among the keys', () => {
    const both = [
      { ...held, owner: payer },
      { ...held, mint: WSOL_MINT, decimals: 9, owner: payer },
    ];
    expect(attemptsOf({ calls: touching(PUMP_AMM_PROGRAM, mint), tokens: both, logs })).toEqual([]);
    const curve = bondingCurveAddress(mint);
    expect(attemptsOf({ calls: touching(PUMP_PROGRAM, curve), tokens: [{ ...held, owner: curve }], logs })).toEqual([]);
    expect(attemptsOf({ calls: touching(mint, curve), tokens: [{ ...held, owner: curve }], logs })).toEqual([]);
  });
});
