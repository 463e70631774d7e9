import type { CreditMeter } from '../../src/accounts/credits/credit-meter.ts';

interface MemoryMeterOptions {
  /** Credits that every pool starts with. */
  readonly credits: number;
  /** False counts and refuses nothing. */
  readonly enforce: boolean;
}

/** A meter that forgets with the process. */
export function createMemoryMeter({ credits, enforce }: MemoryMeterOptions): CreditMeter {
  const used = new Map<number, number>();

  function left(poolId: number): number {
    return Math.max(0, credits - (used.get(poolId) ?? 0));
  }

  return {
    remaining: ({ poolId }) => left(poolId),
    reserve({ poolId }, _requestId, _route, cost) {
      const before = used.get(poolId) ?? 0;
      if (enforce && before + cost > credits) return undefined;
      used.set(poolId, before + cost);
      let open = true;
      return {
        cost,
        remaining: left(poolId),
        settle(charged) {
          if (open) used.set(poolId, (used.get(poolId) ?? 0) - (cost - charged));
          open = false;
          return left(poolId);
        },
      };
    },
  };
}
