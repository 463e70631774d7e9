import type { Wallet } from '../keyring.ts';
import type { Coin } from '../market.ts';
import { associatedAccount, burnTokens, type TokenKind, transferTokens } from '../programs/token.ts';
import type { Random } from '../random.ts';
import type { Instruction } from '../runtime/execution.ts';
import type { SlotDesk } from '../runtime/plan.ts';
import { type Actor, USDC, type World } from '../world.ts';
import { noBid, ordinaryBid } from './bidding.ts';
import { createOldCoins } from './old-coins.ts';
import { giftPlan, sendInstructions, tokensOf } from './token-sends.ts';
import { pickHolder, pickTrader } from './traders.ts';

/** Shares of all token moves; most are of coins that are older than the chain. */
const DOLLAR_SENDS = 0.25;
const BURNS = 0.008;
const CROWDS = 0.004;
/** Between a trader's own wallets, or to a friend: by far the most of what moves of a launchpad's coins. */
const MOVES = 0.015;
const GIFTS_TO_FRIENDS = 0.25;

/** Token moves outside trades: dollars, old coins, people's own wallets, gifts, burns, and crowds in one transaction. */
export function createSenders(world: World, random: Random): Actor {
  const perSlot = (world.load.tokenTransfers * world.slotMs) / 1_000;
  const oldCoins = createOldCoins(world, random.fork('old-coins'));
  let moves = 0;

  function sendMoney(desk: SlotDesk, token: TokenKind, from: Wallet, amount: bigint): void {
    const to = pickTrader(world, random);
    desk.send({
      rank: random.next(),
      plans: [
        {
          actor: 'payer',
          aim: 'land',
          payer: from,
          ...ordinaryBid(random),
          build: () =>
            tokensOf(world, from.address, token) < amount
              ? undefined
              : sendInstructions(world, token, from, to, amount),
        },
      ],
    });
  }

  /** Some or all of what a trader holds, to the wallet where it keeps things, or to somebody who trades too. */
  function move(desk: SlotDesk, coin: Coin, from: Wallet): void {
    const isGift = random.chance(GIFTS_TO_FRIENDS);
    const to = isGift ? pickTrader(world, random) : world.keyring.wallet(`savings/${from.label}`);
    if (to.address === from.address) return;
    coin.holders.add(to);
    const id = `move-${moves++}`;
    const kind = isGift ? 'gift' : 'consolidation';
    desk.note({ id, kind, mint: coin.token.mint, wallets: [to.address], source: from.address });
    const gift = {
      token: coin.token,
      from,
      to: [to],
      share: isGift ? 0.05 + 0.5 * random.next() : random.pick([1, 1, 0.5]),
    };
    desk.send({ rank: random.next(), plans: [giftPlan(world, { actor: 'mover', group: id }, gift, random)] });
  }

  function burn(desk: SlotDesk, coin: Coin, holder: Wallet): void {
    const part = BigInt(random.between(2, 40));
    desk.send({
      rank: random.next(),
      plans: [
        {
          actor: 'burner',
          aim: 'land',
          payer: holder,
          ...noBid(),
          build() {
            const amount = tokensOf(world, holder.address, coin.token) / part;
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
        const coin =
          dice < BURNS + CROWDS + MOVES ? world.market.notice(random, ({ holders }) => holders.size > 3) : undefined;
        if (coin !== undefined) {
          if (dice < BURNS) burn(desk, coin, pickHolder(world, coin, random));
          else if (dice < BURNS + CROWDS) sendInCrowd(world, desk, coin, random);
          else move(desk, coin, pickHolder(world, coin, random));
        } else if (random.chance(DOLLAR_SENDS)) {
          sendMoney(desk, USDC, random.pick(world.exchanges), random.amount(200_000_000, 1.2));
        } else {
          const { amount, holder, token } = oldCoins.pick();
          sendMoney(desk, token, holder, amount);
        }
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
          return moves.length < senders.length || world.bank.lamports(first.address) < 20_000_000n
            ? undefined
            : [...open, ...moves];
        },
      },
    ],
  });
}
