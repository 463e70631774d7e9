import { giveTokens } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import { type EquityFill, equitySwap, recordEquitySwap } from '../programs/equity-swap.ts';
import { associatedAccount, type TokenKind, transferTokens } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/execution.ts';
import { read, signWrite } from '../runtime/instruction.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import { EQUITIES, type SceneryEquity, USDC_DECIMALS } from '../scenery.ts';
import { type Actor, equityKind, USDC, type World } from '../world.ts';
import { ordinaryBid } from './bidding.ts';
import { equityPool } from './equity-traders.ts';
import { tokensOf } from './token-sends.ts';

/** Ways to name a price for the fee of a transaction. */
export const WASHES = ['delegate', 'own_program', 'raw_share', 'gift', 'self_trade'] as const;
export type Wash = (typeof WASHES)[number];

const DOLLAR = 10n ** BigInt(USDC_DECIMALS);
const HELD_SHARES = 100_000n;
const HELD_DOLLARS = 100_000_000n * DOLLAR;
/** What is moved, in shares: a hundredth at the least. */
const LEAST_SHARES = 0.01;
const MOST_SHARES = 0.2;
/** The price that is tried: so many times the real one, or that part of it. */
const FACTOR = 40;
const RAW_SHARE_DOLLARS = 2_000n * DOLLAR;

/**
 * Somebody with two wallets who tries to name a price for tokenized equities, in one way after the other: balances of the
 * one that the other moves as its delegate, plainly or in a program of their own; one raw share at a real pool; a real
 * trade with a gift to its pool beside it; both wallets that sign for what they give each other.
 */
export function createPriceWashers(world: World, random: Random): Actor {
  const perSlot = (world.load.priceWashes * world.slotMs) / 1_000;
  const [washer, accomplice] = ['washer', 'accomplice'].map((name) => {
    const wallet = world.keyring.wallet(`price-washer/${name}`);
    world.bank.endow(wallet.address, 20_000_000_000n);
    giveTokens(world.bank, wallet.address, USDC, HELD_DOLLARS);
    for (const { mint } of EQUITIES) {
      const equity = equityKind(mint);
      giveTokens(world.bank, wallet.address, equity, HELD_SHARES * 10n ** BigInt(equity.decimals));
    }
    return wallet;
  }) as [Wallet, Wallet];
  const program = world.keyring.wallet('price-washer/program').address;
  let washes = 0;

  /** What the accomplice gives and gets, as both transfers of the washer's. */
  function exchange(equity: TokenKind, fill: Pick<EquityFill, 'isBuy' | 'shares' | 'dollars'>): Instruction[] {
    const move = (token: TokenKind, from: Wallet, to: Wallet, amount: bigint) =>
      transferTokens(
        token,
        associatedAccount(from.address, token),
        associatedAccount(to.address, token),
        washer.address,
        amount,
      );
    const [giver, taker] = fill.isBuy ? [accomplice, washer] : [washer, accomplice];
    return [move(equity, giver, taker, fill.shares), move(USDC, taker, giver, fill.dollars)];
  }

  function instructionsOf(wash: Wash, { mint, dollars: price }: SceneryEquity): Instruction[] {
    const equity = equityKind(mint);
    const shares = random.between(LEAST_SHARES * 100, MOST_SHARES * 100) / 100;
    const isBuy = random.chance(0.5);
    const worth = Math.round(shares * price * Number(DOLLAR));
    const wanted = BigInt(random.chance(0.5) ? worth * FACTOR : Math.round(worth / FACTOR));
    const units = BigInt(Math.round(shares * 10 ** equity.decimals));
    const ofAccomplice = { pool: accomplice.address, equity, money: USDC, user: washer.address, isPrice: false };
    const fill: EquityFill = { ...ofAccomplice, isBuy, shares: units, dollars: wanted };
    switch (wash) {
      case 'delegate':
        return recorded(exchange(equity, fill), fill);
      case 'own_program':
        return [calledBy(exchange(equity, fill), fill)];
      case 'raw_share': {
        const [amountIn, amountOut] = isBuy ? [RAW_SHARE_DOLLARS, 1n] : [1n, RAW_SHARE_DOLLARS];
        return [equitySwap({ pool: equityPool(world, mint), user: washer.address, isBuy, amountIn, amountOut })];
      }
      case 'gift': {
        const pool = equityPool(world, mint);
        const [fair, gift] = [BigInt(worth), BigInt(worth * FACTOR)];
        const swap = equitySwap({ pool, user: washer.address, isBuy: true, amountIn: fair, amountOut: units });
        const [from, to] = [washer.address, pool.address].map((owner) => associatedAccount(owner, USDC));
        const given = transferTokens(USDC, from!, to!, washer.address, gift);
        const told = { ...fill, pool: pool.address, isBuy: true, dollars: fair + gift };
        return recorded([{ ...swap, run: withoutRecord(swap) }, given], told);
      }
      case 'self_trade':
        return exchange(equity, fill).map((move, place) => (place === Number(isBuy) ? move : signedByAccomplice(move)));
    }
  }

  /** The same in one call of the washer's program. */
  function calledBy(moves: readonly Instruction[], fill: EquityFill): Instruction {
    const accounts = new Map(moves.flatMap((move) => move.accounts).map((meta) => [meta.address, meta]));
    return {
      program,
      accounts: [signWrite(washer.address), ...accounts.values(), ...moves.map((move) => read(move.program))],
      data: Uint8Array.of(1),
      run(execution) {
        for (const move of moves) execution.invoke(move);
        recordEquitySwap(execution, fill);
      },
    };
  }

  function signedByAccomplice(move: Instruction): Instruction {
    const isAuthority = ({ address }: { readonly address: string }) => address === washer.address;
    const accounts = move.accounts.map((meta) => (isAuthority(meta) ? signWrite(accomplice.address) : meta));
    return { ...move, accounts };
  }

  function wash(desk: SlotDesk): void {
    const kind = WASHES[washes++ % WASHES.length]!;
    const share = random.pick(EQUITIES);
    const instructions = instructionsOf(kind, share);
    const cosigners = kind === 'self_trade' ? [accomplice] : [];
    const isPoor = ({ address }: Wallet) =>
      tokensOf(world, address, USDC) < HELD_DOLLARS / 10n || tokensOf(world, address, equityKind(share.mint)) === 0n;
    desk.send({
      rank: random.next(),
      plans: [
        {
          ...{ actor: 'price_washer', group: `wash-${kind}`, aim: 'land', payer: washer, cosigners },
          ...ordinaryBid(random),
          build: () => (isPoor(washer) || isPoor(accomplice) ? undefined : instructions),
        },
      ],
    });
  }

  return {
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) wash(desk);
    },
  };
}

/** The last of the instructions writes down what all of them came to. */
function recorded(instructions: readonly Instruction[], fill: EquityFill): Instruction[] {
  const last = instructions.at(-1)!;
  const run: NonNullable<Instruction['run']> = (execution) => {
    last.run?.(execution);
    recordEquitySwap(execution, fill);
  };
  return [...instructions.slice(0, -1), { ...last, run }];
}

/** A swap that another instruction writes down. */
function withoutRecord(swap: Instruction): NonNullable<Instruction['run']> {
  return (execution) => {
    swap.run?.(execution);
    execution.record.equitySwaps.pop();
  };
}
