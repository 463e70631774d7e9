import { beforeAll, describe, expect, it } from 'vitest';
import { extent } from '../../test/support/extent.ts';
import type { Address } from '../chain/address.ts';
import { TOKEN_2022_PROGRAM } from '../chain/well-known.ts';
import { COIN_SUPPLY, POOL_SEED_TOKENS, SOL_CURVE } from '../programs/pump/curve.ts';
import { Bank } from './bank.ts';
import { LOADS } from './load.ts';
import { poolReserves } from './programs/pool-terms.ts';
import { createSimulator } from './simulator.ts';
import type { World } from './world.ts';

const BLOCKS = 250;
/** So few coins that some are let go of while the test looks. */
const LOAD = { ...LOADS.desk, trades: 45, creations: 1, liveCoins: 25 };

describe.each(extent(['a'], ['a', 'b', 'c']))('the bank of a simulated chain (seed %s)', (seed) => {
  let world: World;
  /** Times that a pool's product was compared with the one before, and times that it had shrunk. */
  const products = { compared: 0, shrunk: 0 };

  beforeAll(() => {
    const simulator = createSimulator({ seed, load: LOAD, sign: false });
    world = simulator.world;
    const last = new Map<Address, bigint>();
    for (let count = 0; count < BLOCKS; count++) {
      simulator.next();
      for (const { pool } of world.market.coins) {
        if (pool === undefined) continue;
        const { base, quote, virtualQuote } = poolReserves(world.bank, pool);
        const product = base * (quote + virtualQuote);
        const before = last.get(pool.address);
        if (before !== undefined) products.compared++;
        if (before !== undefined && product < before) products.shrunk++;
        last.set(pool.address, product);
      }
    }
  });

  it('neither makes nor loses lamports', () => {
    const { burnt, endowed, forgotten, held } = world.bank.totals;
    expect(held + burnt + forgotten).toBe(endowed);
    expect(burnt).toBeGreaterThan(0n);
    expect(forgotten).toBeGreaterThan(0n);
  });

  it('holds exactly the supply of every coin', () => {
    for (const { curve, mayhem, token } of world.market.coins) {
      if (curve === undefined) continue;
      const { supply } = world.bank.mint(token.mint);
      expect(world.bank.heldTokens(token.mint)).toBe(supply);
      expect(supply).toBeLessThanOrEqual(mayhem ? 2n * COIN_SUPPLY : COIN_SUPPLY);
    }
  });

  it('backs every curve: its accounts hold its reserves, its fees and what the pool will get', () => {
    for (const { addresses, curve, pool, quote } of world.market.coins) {
      if (curve === undefined || quote !== undefined) continue;
      const owed = curve.reserves.realQuote + curve.postQuoteIn + curve.creatorFees + curve.protocolFees;
      expect(world.bank.lamports(addresses.curve)).toBeGreaterThanOrEqual(owed);
      if (pool !== undefined) continue;
      const tokens = curve.reserves.realToken + POOL_SEED_TOKENS - curve.postBaseOut;
      expect(world.bank.tokenAccount(addresses.curveToken)?.amount).toBe(tokens);
    }
  });

  it('keeps virtual and real reserves of a curve as far apart as at birth, but for the mayhem agent', () => {
    for (const { curve, mayhem, pool, quote } of world.market.coins) {
      if (curve === undefined || pool !== undefined || quote !== undefined) continue;
      const { realQuote, realToken, virtualQuote, virtualToken } = curve.reserves;
      expect(virtualToken - realToken).toBe(SOL_CURVE.virtualToken - SOL_CURVE.realToken);
      if (!mayhem) expect(virtualQuote - realQuote).toBe(SOL_CURVE.virtualQuote);
    }
  });

  it('lets no trade take from a pool what its product does not allow', () => {
    expect(products.compared).toBeGreaterThan(0);
    expect(products.shrunk).toBe(0);
  });
});

describe('Bank', () => {
  const alice = 'alice' as Address;
  const bob = 'bob' as Address;
  const purse = 'purse' as Address;
  const mint = 'mint' as Address;

  it('takes back everything of a transaction that is rolled back, state elsewhere included', () => {
    const bank = new Bank();
    bank.endow(alice, 100n);
    bank.createMint({ address: mint, decimals: 6, tokenProgram: TOKEN_2022_PROGRAM, supply: 0n });
    let elsewhere = 'before';
    bank.begin();
    bank.moveLamports(alice, bob, 5n);
    bank.openTokenAccount(purse, mint, alice);
    bank.mintTokens(purse, 7n);
    bank.burnTokens(purse, 2n);
    bank.onRollback(() => {
      elsewhere = 'before';
    });
    elsewhere = 'after';
    bank.rollback();
    expect(bank.lamports(alice)).toBe(100n);
    expect(bank.lamports(bob)).toBe(0n);
    expect(bank.tokenAccount(purse)).toBeUndefined();
    expect(bank.mint(mint).supply).toBe(0n);
    expect(elsewhere).toBe('before');
  });

  it('refuses to move what is not there', () => {
    const bank = new Bank();
    expect(() => bank.moveLamports(alice, bob, 1n)).toThrow('insufficient_lamports');
    expect(() => bank.moveTokens(purse, bob, 1n)).toThrow('account_missing');
  });
});
