import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import { associatedAccount, burnTokens, transferTokens } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/instruction.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import { type Actor, USDC, type World } from '../world.ts';
import { noBid, ordinaryBid } from './bidding.ts';
import { giftPlan, sendInstructions, tokensOf } from './token-sends.ts';
import { pickHolder, pickTrader } from './traders.ts';

/** Shares of all token moves. */
const DOLLAR_SENDS = 0.25;
const BURNS = 0.04;
const CROWDS = 0.02;
const AIRDROPS = 0.03;
const AIRDROP_WIDTH = 6;

/** Token moves outside trades: dollars, gifts between traders, honest airdrops, burns, and crowds in one transaction. */
export function createSenders(world: World, random: Random): Actor {
  const perSlot = (world.load.tokenTransfers * world.slotMs) / 1_000;

  function sendDollars(desk: SlotDesk): void {
    const from = random.pick(world.exchanges);
    const to = pickTrader(world, random);
    const amount = random.amount(200_000_000, 1.2);
    desk.send({
      rank: random.next(),
      plans: [
        {
          actor: 'payer',
          aim: 'land',
          payer: from,
          ...ordinaryBid(random),
          build: () =>
            tokensOf(world, from.address, USDC) < amount ? undefined : sendInstructions(world, USDC, from, to, amount),
        },
      ],
    });
  }

  function give(desk: SlotDesk, coin: Coin, from: Wallet): void {
    const to = pickTrader(world, random);
    if (to === from) return;
    coin.holders.add(to);
    const gift = { token: coin.token, from, to: [to], share: random.pick([1, 0.5, 0.1]) };
    desk.send({ rank: random.next(), plans: [giftPlan(world, { actor: 'payer' }, gift, random)] });
  }

  /** To people who trade anyway, some of whom hold the coin already. */
  function airdrop(desk: SlotDesk, coin: Coin, from: Wallet): void {
    const to = [...new Set(Array.from({ length: AIRDROP_WIDTH }, () => pickTrader(world, random)))].filter(
      (w) => w !== from,
    );
    if (to.length === 0) return;
    for (const receiver of to) coin.holders.add(receiver);
    const gift = { token: coin.token, from, to, share: 0.2 };
    desk.send({ rank: random.next(), plans: [giftPlan(world, { actor: 'honest_airdrop' }, gift, random)] });
  }

  function burn(desk: SlotDesk, coin: Coin, holder: Wallet): void {
    desk.send({
      rank: random.next(),
      plans: [
        {
          actor: 'burner',
          aim: 'land',
          payer: holder,
          ...noBid(),
          build() {
            const amount = tokensOf(world, holder.address, coin.token) / 3n;
            if (amount === 0n) return undefined;
            return [burnTokens(coin.token, associatedAccount(holder.address, coin.token), holder.address, amount)];
          },
        },
      ],
    });
  }

  return {
    act(desk) {
      for (let count = random.poisson(perSlot); count > 0; count--) {
        const dice = random.next();
        const coin = dice < DOLLAR_SENDS ? undefined : world.market.notice(random, ({ holders }) => holders.size > 3);
        if (coin === undefined) {
          sendDollars(desk);
          continue;
        }
        const holder = pickHolder(world, coin, random);
        if (dice < DOLLAR_SENDS + BURNS) burn(desk, coin, holder);
        else if (dice < DOLLAR_SENDS + BURNS + CROWDS) sendInCrowd(world, desk, coin, random);
        else if (dice < DOLLAR_SENDS + BURNS + CROWDS + AIRDROPS) airdrop(desk, coin, holder);
        else give(desk, coin, holder);
      }
    },
  };
}

/** Two senders and two receivers in one transaction: the balances alone do not tell who sent to whom. */
function sendInCrowd(world: World, desk: SlotDesk, coin: Coin, random: Random): void {
  const senders = [...new Set([pickHolder(world, coin, random), pickHolder(world, coin, random)])];
  const receivers = [...new Set([pickTrader(world, random), pickTrader(world, random)])].filter(
    (wallet) => !senders.includes(wallet),
  );
  const [first] = senders;
  if (first === undefined || senders.length < 2 || receivers.length < 2) return;
  for (const receiver of receivers) coin.holders.add(receiver);
  desk.send({
    rank: random.next(),
    plans: [
      {
        actor: 'crowd_send',
        aim: 'land',
        payer: first,
        cosigners: senders.slice(1),
        ...noBid(1),
        build() {
          const { token } = coin;
          const open = receivers.flatMap((to) => sendInstructions(world, token, first, to, 0n, first).slice(0, -1));
          const moves = senders.flatMap((from, place): Instruction[] => {
            const amount = tokensOf(world, from.address, token) / 4n;
            const target = associatedAccount(receivers[place % receivers.length]!.address, token);
            if (amount === 0n) return [];
            return [transferTokens(token, associatedAccount(from.address, token), target, from.address, amount)];
          });
          return moves.length < senders.length || world.ledger.lamports(first.address) < 20_000_000n
            ? undefined
            : [...open, ...moves];
        },
      },
    ],
  });
}
