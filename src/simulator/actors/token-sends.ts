import type { Address } from '../../chain/address.ts';
import type { Wallet } from '../keyring.ts';
import { transferLamports } from '../programs/system.ts';
import { associatedAccount, openAssociated, type TokenKind, transferTokens } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/execution.ts';
import type { TransactionPlan } from '../runtime/plan.ts';
import type { ActorKind } from '../truth.ts';
import type { World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';

export function tokensOf({ bank }: World, owner: Address, token: TokenKind): bigint {
  return bank.tokenAccount(associatedAccount(owner, token))?.amount ?? 0n;
}

/** Tokens from one wallet's account to another's, which is opened at the sender's cost when it is not there. */
export function sendInstructions(
  world: World,
  token: TokenKind,
  from: Wallet,
  to: Wallet,
  amount: bigint,
  payer = from,
): Instruction[] {
  const target = associatedAccount(to.address, token);
  const move = transferTokens(token, associatedAccount(from.address, token), target, from.address, amount);
  return world.bank.tokenAccount(target) === undefined
    ? [openAssociated(payer.address, to.address, token), move]
    : [move];
}

/** A holder's gift, and its receivers. */
export interface Gift {
  readonly token: TokenKind;
  readonly from: Wallet;
  readonly to: readonly Wallet[];
  /** Share of the holding that all receivers get together. */
  readonly share: number;
  /** Lamports that each receiver gets along, so that it can act. */
  readonly purse?: bigint;
  /** Weights of the receivers' parts, one for each; equal when left out. */
  readonly weights?: readonly number[];
}

const PARTS = 10_000;

function split(total: bigint, { to, weights }: Gift): bigint[] {
  if (weights === undefined) return to.map(() => total / BigInt(to.length));
  const sum = weights.reduce((left, right) => left + right, 0);
  return to.map((_, place) => (total * BigInt(Math.floor((PARTS * weights[place]!) / sum))) / BigInt(PARTS));
}

const FEE_RESERVE_LAMPORTS = 10_000_000n;
const RENT_LAMPORTS = 1_600_000n;

/** One transaction that gives tokens to one or many. Nothing is sent when the holder has none. */
export function giftPlan(
  world: World,
  who: { readonly actor: ActorKind; readonly group?: string },
  gift: Gift,
  random: Random,
): TransactionPlan {
  const { from, purse = 0n, to, token } = gift;
  const bid = ordinaryBid(random);
  return {
    ...who,
    aim: 'land',
    payer: from,
    ...bid,
    version: to.length > 3 ? 1 : bid.version,
    budget: to.length > 3 ? { unitLimit: 400_000, priorityFee: 20_000n } : bid.budget,
    build() {
      const held = tokensOf(world, from.address, token);
      const parts = split((held * BigInt(Math.floor(gift.share * PARTS))) / BigInt(PARTS), gift);
      const cost = (purse + RENT_LAMPORTS) * BigInt(to.length) + FEE_RESERVE_LAMPORTS;
      if (parts.includes(0n) || world.bank.lamports(from.address) < cost) return undefined;
      return to.flatMap((wallet, place) => [
        ...(purse === 0n ? [] : [transferLamports(from.address, wallet.address, purse)]),
        ...sendInstructions(world, token, from, wallet, parts[place]!),
      ]);
    },
  };
}
