import { coinNumber, coinPost, FIRST_COPY } from '../coin-profile.ts';
import { COPY_KINDS, type CopyKind, canBeCopied, copyProfile } from '../copy-profile.ts';
import { SOL } from '../genesis.ts';
import type { Coin } from '../market.ts';
import type { Random } from '../random.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import type { Actor, World } from '../world.ts';
import { launchPlan, listedPlan } from './launch.ts';

/** Blocks before the first of them, and from one to the next. */
const FIRST_BLOCK = 20;
const EVERY_BLOCKS = 10;
const COPYCAT_SOL = 20n * SOL;
const MEDIAN_FIRST_BUY_LAMPORTS = 300_000_000;
const TIP_LAMPORTS = 1_000_000n;
/** Copies that are made of a coin in a row. */
const IN_A_ROW = 3;

/**
 * Developers who copy coins that others look at, in one way after the other. Whom they copy is noted with each. They have
 * wallets and numbers of their own, so that nobody else's change by them.
 */
export function createCopycats(world: World, random: Random): Actor {
  let blocks = 0;
  let copies = 0;
  /** By kind: the coin that was copied last, and how often. */
  const latest = new Map<CopyKind, { readonly coin: Coin; times: number }>();

  /** The coin of before, or another one that people look at. */
  function original(kind: CopyKind): Coin | undefined {
    const last = latest.get(kind);
    if (last !== undefined && last.times < IN_A_ROW && !last.coin.retired) {
      last.times += 1;
      return last.coin;
    }
    const coin = world.market.notice(random, (each) => isWorthCopying(world.seed, each, kind));
    if (coin !== undefined) latest.set(kind, { coin, times: 1 });
    return coin;
  }

  function copy(desk: SlotDesk): void {
    const number = copies++;
    const kind = COPY_KINDS[number % COPY_KINDS.length]!;
    const from = original(kind);
    const fromNumber = from === undefined ? undefined : coinNumber(from.uri);
    if (from === undefined || fromNumber === undefined) return;
    const dev = world.keyring.wallet(`copycat/${number}`);
    world.bank.endow(dev.address, COPYCAT_SOL);
    const profile = copyProfile(world.seed, { kind, original: fromNumber, number });
    const coin = world.market.design({ dev, profile });
    const group = `copycat-${number}`;
    const firstBuy = random.amount(MEDIAN_FIRST_BUY_LAMPORTS, 0.6);
    const options = { actor: 'copycat' as const, group, firstBuy, tip: TIP_LAMPORTS };
    const plan = listedPlan(world, coin, launchPlan(world, coin, options, random), random);
    desk.send({ rank: random.next(), plans: [plan] });
    const { mint } = coin.token;
    desk.note({ id: group, kind, mint, wallets: [dev.address], source: undefined, original: from.token.mint });
  }

  return {
    act(desk) {
      blocks += 1;
      if (blocks >= FIRST_BLOCK && (blocks - FIRST_BLOCK) % EVERY_BLOCKS === 0) copy(desk);
    },
  };
}

/** A coin that is no copy itself, and has what is to be taken from it. */
function isWorthCopying(seed: string, { uri }: Coin, kind: CopyKind): boolean {
  const number = coinNumber(uri);
  if (number === undefined || number >= FIRST_COPY || !canBeCopied(number)) return false;
  return kind !== 'tweet_shared' || coinPost(seed, number) !== undefined;
}
