import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DIRECT_BELOW_CREDITS, leaseSize, MAX_LEASE_CREDITS, meetDemand, type PoolDemand } from './lease-rules.ts';

const credits = fc.oneof(fc.nat(60), fc.nat(3_000), fc.nat(400_000));

/** A pool with a lease of ours, somebody else's, and what we want of it. */
const situation = fc
  .record({
    free: credits,
    others: credits,
    held: fc.option(credits, { nil: undefined }),
    debit: credits,
    reserved: credits,
    inHand: credits,
    gather: fc.boolean(),
    holds: fc.boolean(),
    needs: fc.array(fc.integer({ min: 1, max: 60 }), { maxLength: 6 }),
  })
  .map(({ free, others, held, ...demand }) => {
    const leased = others + (held ?? 0);
    return { pool: { balance: free + leased, leased }, others, held, demand };
  });

const QUIET: PoolDemand = { debit: 0, reserved: 0, inHand: 0, gather: false, needs: [], holds: true };

describe('what becomes of a pool', () => {
  it('never goes below zero, leases no more than there is, and touches nobody else’s lease', () => {
    fc.assert(
      fc.property(situation, ({ pool, others, held, demand }) => {
        const outcome = meetDemand(pool, held, demand);
        expect(outcome.balance).toBe(pool.balance - outcome.charged);
        expect(outcome.charged).toBeGreaterThanOrEqual(0);
        expect(outcome.charged).toBeLessThanOrEqual(demand.debit);
        expect(outcome.lease).toBeGreaterThanOrEqual(0);
        expect(outcome.leased).toBe(others + outcome.lease);
        expect(outcome.leased).toBeLessThanOrEqual(outcome.balance);
      }),
    );
  });

  it('charges all of the debit while the lease has it, and as much as is free when it has not', () => {
    fc.assert(
      fc.property(situation, ({ pool, others, held, demand }) => {
        expect(meetDemand(pool, held, demand).charged).toBe(Math.min(demand.debit, pool.balance - others));
      }),
    );
  });

  it('keeps what is taken and in hand, as far as the lease that backs it is still there', () => {
    fc.assert(
      fc.property(situation, ({ pool, held = 0, demand }) => {
        const backed = { ...demand, gather: false };
        const enough = held >= backed.debit + backed.reserved + backed.inHand;
        fc.pre(enough);
        expect(meetDemand(pool, held, backed).lease).toBeGreaterThanOrEqual(backed.reserved + backed.inHand);
      }),
    );
  });

  it('admits calls that can be paid, and holds their prices', () => {
    fc.assert(
      fc.property(situation, ({ pool, others, held, demand }) => {
        const { balance, lease, admitted } = meetDemand(pool, held, { ...demand, gather: true });
        const reserved = Math.min(demand.reserved, balance - others);
        let free = balance - others - reserved;
        for (const [index, price] of demand.needs.entries()) {
          expect(admitted[index]).toBe(price <= free);
          if (price <= free) free -= price;
        }
        const sum = demand.needs.reduce((total, price, index) => total + (admitted[index] === true ? price : 0), 0);
        expect(lease).toBeGreaterThanOrEqual(reserved + sum);
      }),
    );
  });

  it('leases an eighth of what is free, up to a limit, and near zero nothing', () => {
    expect(meetDemand({ balance: 80_000, leased: 0 }, undefined, QUIET).lease).toBe(10_000);
    expect(meetDemand({ balance: 5_000_000, leased: 0 }, undefined, QUIET).lease).toBe(MAX_LEASE_CREDITS);
    expect(meetDemand({ balance: DIRECT_BELOW_CREDITS - 1, leased: 0 }, undefined, QUIET).lease).toBe(0);
    expect(leaseSize(DIRECT_BELOW_CREDITS)).toBe(125);
  });

  it('tops up below half, not before', () => {
    const pool = { balance: 80_000, leased: 10_000 };
    expect(meetDemand(pool, 10_000, { ...QUIET, debit: 4_000, inHand: 6_000 }).lease).toBe(6_000);
    expect(meetDemand(pool, 10_000, { ...QUIET, debit: 6_000, inHand: 4_000 }).lease).toBe(9_250);
  });

  it('near zero takes the price of each call and no more', () => {
    const pool = { balance: 50, leased: 0 };
    const outcome = meetDemand(pool, undefined, { ...QUIET, gather: true, needs: [8, 60, 40, 2, 1] });
    expect(outcome).toEqual({
      balance: 50,
      leased: 50,
      lease: 50,
      charged: 0,
      admitted: [true, false, true, true, false],
    });
  });

  it('gives everything back that is given up', () => {
    const pool = { balance: 80_000, leased: 10_000 };
    const given = meetDemand(pool, 10_000, { ...QUIET, debit: 40, inHand: 9_960, gather: true, holds: false });
    expect(given).toMatchObject({ balance: 79_960, leased: 0, lease: 0, charged: 40 });
  });

  it('pays what was debited from a lease that was taken back out of what is free, once', () => {
    const pool = { balance: 100, leased: 90 };
    expect(meetDemand(pool, undefined, { ...QUIET, debit: 30, inHand: 500 })).toMatchObject({
      balance: 90,
      charged: 10,
    });
  });
});
