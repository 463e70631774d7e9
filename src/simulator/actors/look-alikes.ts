import { SOL } from '../genesis.ts';
import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import { curveTrade } from '../programs/curve-trade.ts';
import { openAssociated } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { SlotDesk, TransactionPlan } from '../runtime/plan.ts';
import type { SchemeKind } from '../truth.ts';
import type { Actor, World } from '../world.ts';
import { eagerBid } from './bidding.ts';
import { richWallet } from './bundlers.ts';
import { fundPlan } from './crew.ts';
import { sellPlan } from './exits.ts';
import { launchPlan, listedPlan } from './launch.ts';
import { tipInstructions, tradePlan } from './trade-plan.ts';

/** Blocks before the first of them, and from one to the next. */
const FIRST_BLOCK = 420;
const EVERY_BLOCKS = 35;
/** Slots from the note to the creation. */
const DELAY = 2;
const MATES = 5;
const CUSTOMERS = 3;
const SPEND = SOL / 10n;
/** A million SOL: what a transaction that reverts may say it would pay. */
const ABSURD_TIP = 10n ** 15n;
const CREW_BUDGET = { unitLimit: 1_400_000, priorityFee: 60_000n };

/** A launch under way. */
interface Story {
  readonly desk: SlotDesk;
  readonly coin: Coin;
  readonly who: { readonly actor: 'look_alike'; readonly group: string };
  /** The plan of the creation, with the developer's first buy where it makes one. */
  readonly create: (firstBuy: bigint) => TransactionPlan;
}

type Teller = (world: World, story: Story, random: Random) => readonly Wallet[];

/** Launches that rules about people are easily wrong about, one kind after the other. Each notes who takes part. */
export function createLookAlikes(world: World, random: Random): Actor {
  let blocks = 0;
  let told = 0;

  function tell(desk: SlotDesk): void {
    const [kind, teller] = STORIES[told % STORIES.length]!;
    const group = `look-alike-${told++}`;
    const coin = world.market.design({ dev: richWallet(world, 'look-alike-dev', 50n * SOL) });
    const who = { actor: 'look_alike' as const, group };
    const create = (firstBuy: bigint) =>
      listedPlan(world, coin, launchPlan(world, coin, { ...who, firstBuy, tip: 0n }, random), random);
    const wallets = teller(world, { desk, coin, who, create }, random);
    const source = SOURCES.has(kind) ? coin.dev.address : undefined;
    desk.note({ id: group, kind, mint: coin.token.mint, wallets: wallets.map(({ address }) => address), source });
  }

  return {
    act(desk) {
      blocks += 1;
      if (blocks >= FIRST_BLOCK && (blocks - FIRST_BLOCK) % EVERY_BLOCKS === 0) tell(desk);
    },
  };
}

/** Three customers buy, and the developer pays each of them behind that, in the same slot. */
const paidLater: Teller = (world, { desk, coin, who, create }, random) => {
  const customers = Array.from({ length: CUSTOMERS }, () => richWallet(world, 'customer', 2n * SOL));
  desk.sendLater(DELAY, { rank: 0.1, plans: [create(SPEND)] });
  for (const [place, customer] of customers.entries()) {
    desk.sendLater(DELAY, { rank: 0.3 + place / 10, plans: [buyPlan(world, who, coin, customer, random)] });
  }
  const shares = customers.map((wallet) => ({ wallet, lamports: SOL / 2n }));
  desk.sendLater(DELAY, { rank: 0.9, plans: [fundPlan(world, who, coin.dev, shares, random)] });
  return customers;
};

/** One bot buys twice, right behind each other. */
const doubleBuy: Teller = (world, { desk, coin, who, create }, random) => {
  const bot = richWallet(world, 'double-buyer', 5n * SOL);
  const plans = [0, 1].map(() => buyPlan(world, who, coin, bot, random));
  desk.sendLater(DELAY, { rank: 0.2, plans: [create(0n), ...plans] });
  return [bot];
};

/** Somebody buys, and the developer happens to sell right behind it. */
const loneBuy: Teller = (world, { desk, coin, who, create }, random) => {
  const buyer = richWallet(world, 'lone-buyer', 2n * SOL);
  desk.sendLater(DELAY, { rank: 0.2, plans: [create(SPEND)] });
  const plans = [buyPlan(world, who, coin, buyer, random), sellPlan(world, who, coin, coin.dev, 0.1, random)];
  desk.sendLater(DELAY + 1, { rank: 0.2, plans });
  return [buyer];
};

/** The developer and five mates buy in the transaction that makes the coin. */
const crewInOne: Teller = (world, { desk, coin, create }) => {
  const mates = Array.from({ length: MATES }, () => richWallet(world, 'mate', 2n * SOL));
  for (const mate of mates) coin.holders.add(mate);
  const creation = create(SPEND);
  const together: TransactionPlan = {
    ...creation,
    version: 1,
    budget: CREW_BUDGET,
    cosigners: [coin.mint, ...mates],
    build: () => {
      const body = creation.build();
      return (
        body && [
          ...body,
          ...mates.flatMap(({ address: user }) => [
            openAssociated(user, user, coin.token),
            curveTrade({ name: 'buy_exact_sol_in', coin, user, amount: SPEND, limit: 0n }),
          ]),
        ]
      );
    },
  };
  desk.sendLater(DELAY, { rank: 0.2, plans: [together] });
  return [coin.dev, ...mates];
};

/**
 * The developer buys nothing, and pays for the first buy of another wallet. An outsider comes later, and a third one is
 * turned down that says it would have tipped a million SOL.
 */
const paidMate: Teller = (world, { desk, coin, who, create }, random) => {
  const [mate, outsider, boaster] = [
    richWallet(world, 'paid-mate', 2n * SOL),
    richWallet(world, 'outsider', 2n * SOL),
    richWallet(world, 'boaster', 2n * SOL),
  ];
  const paid = { ...buyPlan(world, who, coin, mate, random, coin.dev), cosigners: [mate] };
  desk.sendLater(DELAY, { rank: 0.1, plans: [create(0n)] });
  desk.sendLater(DELAY, { rank: 0.3, plans: [paid] });
  desk.sendLater(DELAY, { rank: 0.6, plans: [buyPlan(world, who, coin, outsider, random)] });
  desk.sendLater(DELAY, { rank: 0.8, plans: [boast(world, who, coin, boaster, random)] });
  return [mate];
};

const STORIES: readonly (readonly [SchemeKind, Teller])[] = [
  ['paid_later', paidLater],
  ['crew_in_one', crewInOne],
  ['paid_mate', paidMate],
  ['double_buy', doubleBuy],
  ['lone_buy', loneBuy],
];
/** Kinds in which the developer pays. */
const SOURCES: ReadonlySet<SchemeKind> = new Set(['paid_later', 'paid_mate']);

function buyPlan(
  world: World,
  who: Story['who'],
  coin: Coin,
  buyer: Wallet,
  random: Random,
  payer = buyer,
): TransactionPlan {
  const wish = { coin, user: buyer.address, side: 'buy' as const, amount: SPEND, unborn: true };
  return tradePlan(world, { ...who, aim: 'land' }, wish, { payer, bid: eagerBid(random) }, random);
}

/** A buy that the venue turns down, and behind it a tip that nobody could pay. */
function boast(world: World, who: Story['who'], coin: Coin, payer: Wallet, random: Random): TransactionPlan {
  const wish = { coin, user: payer.address, side: 'buy' as const, amount: SPEND, spoil: 'slippage' as const };
  const plan = tradePlan(world, { ...who, aim: 'revert' }, wish, { payer, bid: eagerBid(random) }, random);
  return {
    ...plan,
    build: () => {
      const body = plan.build();
      return body && [...body, ...tipInstructions(payer, ABSURD_TIP, random)];
    },
  };
}
