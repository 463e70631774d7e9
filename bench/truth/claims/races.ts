import { RACE_SLOTS, type TokenAnswers } from '../ask.ts';
import type { TokenTruth } from '../chain.ts';
import type { Claim } from '../claim.ts';
import { firstBuys } from './snipers.ts';

/** Claims of /launch-race about the winner, and about the end of each attempt. */
export function raceClaims(token: TokenTruth, { race }: TokenAnswers): Claim[] {
  const { attempts, creation, swaps } = token;
  const inRace = ({ slot }: { readonly slot: number }) => slot >= creation.slot && slot < creation.slot + RACE_SLOTS;
  const winner = firstBuys(token).find(inRace)?.trader;
  const first = swaps.find(({ isBuy }) => isBuy);
  const board = race.board.map(({ block_index: index, outcome, slots_after_creation: slots, wallet }) => {
    return `${slots}/${index}/${wallet}/${OUTCOMES.has(outcome) ? outcome : 'landed'}`;
  });
  const place = (each: { readonly slot: number; readonly blockIndex: number; readonly trader: string }) =>
    `${each.slot - creation.slot}/${each.blockIndex}/${each.trader}`;
  const bought = swaps.filter((swap) => inRace(swap) && swap.isBuy && !swap.protocolActor);
  // A transaction is one attempt, told by its first buy, whoever else it bought for.
  const landed = bought.filter(({ slot, blockIndex }, at) => {
    return bought.findIndex((each) => each.slot === slot && each.blockIndex === blockIndex) === at;
  });
  const reverted = attempts.filter((attempt) => inRace(attempt) && attempt.isBuy !== false);
  const answer = { ...race, board: undefined, by_slot: undefined };
  return [
    {
      name: 'winners of launch races',
      by: 'rule',
      truth: new Set(winner === undefined ? [] : [winner]),
      claimed: new Set(race.winner === undefined ? [] : [race.winner]),
      naive: new Set(first === undefined ? [] : [first.trader]),
      answer,
    },
    {
      name: 'outcomes in launch races',
      by: 'rule',
      truth: new Set([
        ...landed.map((swap) => `${place(swap)}/landed`),
        ...reverted.map((attempt) => `${place(attempt)}/${attempt.outcome}`),
      ]),
      claimed: new Set(board),
      answer,
    },
  ];
}

/** Of attempts that did not land; the others are three words for one that did. */
const OUTCOMES: ReadonlySet<string> = new Set(['rejected', 'self_abort', 'failed_unknown']);
