import type { Wallet } from '../keyring.ts';
import { transferLamports } from '../programs/system.ts';
import type { Random } from '../random.ts';
import type { TransactionPlan } from '../runtime/plan.ts';
import type { ActorKind } from '../truth.ts';
import type { World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';

/** More than anybody holds: a wish to sell all. */
export const EVERYTHING = 1n << 62n;

/** Newcomers of one scheme. */
export function recruit(world: World, kind: string, count: number): Wallet[] {
  return Array.from({ length: count }, () => world.newWallet(kind));
}

/** Lamports from one wallet to others, in one transaction. Nothing is sent when the giver cannot pay. */
export function fundPlan(
  world: World,
  who: { readonly actor: ActorKind; readonly group?: string },
  from: Wallet,
  to: readonly { readonly wallet: Wallet; readonly lamports: bigint }[],
  random: Random,
): TransactionPlan {
  const total = to.reduce((sum, { lamports }) => sum + lamports, 0n);
  return {
    ...who,
    aim: 'land',
    payer: from,
    ...ordinaryBid(random),
    build() {
      if (world.bank.lamports(from.address) < total + FEE_RESERVE_LAMPORTS) return undefined;
      return to.map(({ lamports, wallet }) => transferLamports(from.address, wallet.address, lamports));
    },
  };
}

const FEE_RESERVE_LAMPORTS = 10_000_000n;
