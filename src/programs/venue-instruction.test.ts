import { describe, expect, test } from 'vitest';
import { fakeTransaction } from '../../test/support/fake-transaction.ts';
import { hasFixtures, realTransactions } from '../../test/support/fixtures.ts';
import type { Address } from '../chain/address.ts';
import { encodeAddress } from '../chain/keys/base58.ts';
import { readRpcTransaction } from '../chain/rpc/rpc-json.ts';
import { ATA_PROGRAM } from '../chain/well-known.ts';
import { failingJournal, silentJournal } from '../kernel/journal.ts';
import { decodeEvents } from './decode.ts';
import { bondingCurveAddress, canonicalPoolAddress } from './pump/addresses.ts';
import { PUMP_PROGRAM, RENT_SYSVAR } from './pump/ids.ts';
import { PUMP_AMM_PROGRAM } from './pump-amm/ids.ts';
import type { VenueInstruction } from './venue-instruction.ts';
import { encodeInstruction, instructionAccounts, readSwapHops, readVenueInstruction } from './venue-instruction.ts';

const key = (n: number): Address => encodeAddress(new Uint8Array(32).fill(n));
const keys = (count: number): Address[] => Array.from({ length: count }, (_, i) => key(i + 1));

function read(program: Address, data: Uint8Array, accounts: readonly Address[]): VenueInstruction | undefined {
  const tx = fakeTransaction({ calls: [{ program, accounts, data, depth: 1 }] });
  return readVenueInstruction(tx, tx.instructions[0]!);
}

const BUY = encodeInstruction('pump', 'buy', { amount: 5n, maxSolCost: 7n });
const SELL = encodeInstruction('pump', 'sell', { amount: 5n, minSolOutput: 7n });

describe('readVenueInstruction', () => {
  test('tells the same discriminator apart by its program', () => {
    const data = encodeInstruction('pump', 'buy_v2', { amount: 5n, maxSolCost: 7n });
    const curve = read(PUMP_PROGRAM, data, keys(27));
    const pool = read(PUMP_AMM_PROGRAM, data, keys(17));
    expect([curve?.program, curve?.name, curve?.args]).toEqual(['pump', 'buy_v2', { amount: 5n, maxSolCost: 7n }]);
    expect([pool?.program, pool?.args]).toEqual(['pump_amm', { baseAmountOut: 5n, maxQuoteAmountIn: 7n }]);
    expect(curve?.account('user')).toBe(key(14));
    expect(pool?.account('user')).toBe(key(2));
    expect(read(key(99), data, keys(17))).toBeUndefined();
    expect(read(PUMP_PROGRAM, new Uint8Array(24), [])).toBeUndefined();
    expect(read(PUMP_PROGRAM, data.subarray(0, 5), [])).toBeUndefined();
  });

  test('arguments at the end may be missing, and those before them may not', () => {
    expect(read(PUMP_PROGRAM, BUY, keys(16))?.args).toEqual({ amount: 5n, maxSolCost: 7n, trackVolume: undefined });
    const tracked = encodeInstruction('pump', 'buy', { amount: 5n, maxSolCost: 7n, trackVolume: true });
    expect(read(PUMP_PROGRAM, tracked, keys(16))?.args).toMatchObject({ trackVolume: true });
    const short = read(PUMP_PROGRAM, BUY.subarray(0, 20), keys(16));
    expect(short?.name).toBe('buy');
    expect(short?.args).toBeUndefined();
  });

  test('finds accounts in the order of the time: before May 2025 there was no creator vault', () => {
    const oldBuy = read(PUMP_PROGRAM, BUY, keys(12).with(9, RENT_SYSVAR));
    expect([oldBuy?.account('rent'), oldBuy?.account('creatorVault')]).toEqual([RENT_SYSVAR, undefined]);
    const newBuy = read(PUMP_PROGRAM, BUY, keys(12));
    expect([newBuy?.account('rent'), newBuy?.account('creatorVault')]).toEqual([undefined, key(10)]);
    const oldSell = read(PUMP_PROGRAM, SELL, keys(12).with(8, ATA_PROGRAM));
    expect([oldSell?.account('tokenProgram'), oldSell?.account('creatorVault')]).toEqual([key(10), undefined]);
    expect(read(PUMP_PROGRAM, SELL, keys(14))?.account('creatorVault')).toBe(key(9));
  });

  test('names the accounts behind the fixed ones by how many there are', () => {
    expect(read(PUMP_PROGRAM, BUY, keys(18))?.account('buybackFeeRecipient')).toBe(key(18));
    expect(read(PUMP_PROGRAM, SELL, keys(16))?.account('buybackFeeRecipient')).toBe(key(16));
    const cashback = read(PUMP_PROGRAM, SELL, keys(17));
    expect(cashback?.account('userVolumeAccumulator')).toBe(key(15));
    expect(cashback?.account('buybackFeeRecipient')).toBe(key(17));
    expect(read(PUMP_PROGRAM, SELL, keys(14))?.account('buybackFeeRecipient')).toBeUndefined();
    expect(read(PUMP_PROGRAM, SELL, keys(5))?.account('user')).toBeUndefined();
  });

  test('gives the hops of a multi-hop swap in order', () => {
    const fixed = instructionAccounts('pump_amm', 'multi_hop_swap').length;
    const data = encodeInstruction('pump_amm', 'multi_hop_swap', { amountIn: 1n, minAmountOut: 2n });
    const accounts = keys(fixed + 11);
    const tx = fakeTransaction({ calls: [{ program: PUMP_AMM_PROGRAM, accounts, data, depth: 1 }] });
    const hops = readSwapHops(tx, tx.instructions[0]!);
    expect(hops.map((hop) => hop.market)).toEqual([key(fixed + 3), key(fixed + 8)]);
    expect(hops[1]).toMatchObject({ baseMint: key(fixed + 6), quoteVault: key(fixed + 10) });
  });
});

describe.skipIf(!hasFixtures)('real instructions', () => {
  test('name the user, mint, curve and pool that their events tell', () => {
    let compared = 0;
    for (const { json } of realTransactions()) {
      const tx = readRpcTransaction(json, silentJournal).transactions[0]!;
      for (const event of decodeEvents(tx, failingJournal)) {
        const call = readVenueInstruction(tx, tx.instructions[event.callIndex]!);
        if (event.name === 'TradeEvent' || event.name === 'CreateEvent') {
          const { mint } = event.data;
          expect(call?.account('user')).toBe(event.data.user);
          expect(call?.account('mint') ?? call?.account('baseMint')).toBe(mint);
          expect(call?.account('bondingCurve')).toBe(bondingCurveAddress(mint));
          expect(call?.args).toBeDefined();
          compared++;
        } else if (event.name === 'BuyEvent' || event.name === 'SellEvent') {
          expect(call?.account('user')).toBe(event.data.user);
          expect(call?.account('pool')).toBe(event.data.pool);
          expect(call?.args).toBeDefined();
          compared++;
        } else if (event.name === 'CompletePumpAmmMigrationEvent') {
          expect(call?.account('pool')).toBe(event.data.pool);
          expect(canonicalPoolAddress(event.data.mint, event.data.quoteMint)).toBe(event.data.pool);
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(40);
  });
});
