import type { Address } from '../../src/chain/address.ts';
import { encodeSignature } from '../../src/chain/keys/base58.ts';
import type { Attempt, BlockFacts, Swap, TokenCreated } from '../../src/facts/fact.ts';
import { groupBy } from '../../src/features/movements/group-by.ts';
import type { TransactionIntent } from '../../src/simulator/truth.ts';

/** Truths about launches, worked out of the simulated chain's own: block by block, transaction by transaction. */

export interface LaunchBlock {
  readonly facts: BlockFacts;
  readonly transactions: readonly TransactionIntent[];
}

/** Everything that one transaction did with the coin. */
interface Deed {
  readonly slot: number;
  readonly blockIndex: number;
  readonly swaps: readonly Swap[];
  readonly attempt: Attempt | undefined;
}

function deedsOf(blocks: readonly LaunchBlock[], mint: Address): Deed[] {
  return blocks.flatMap(({ facts: { slot, swaps, attempts } }) => {
    const indexes = new Set(
      [...swaps, ...attempts].filter((fact) => fact.mint === mint).map((fact) => fact.blockIndex),
    );
    return [...indexes]
      .sort((a, b) => a - b)
      .map((blockIndex) => ({
        slot,
        blockIndex,
        swaps: swaps.filter((swap) => swap.mint === mint && swap.blockIndex === blockIndex),
        attempt: attempts.find((each) => each.mint === mint && each.blockIndex === blockIndex),
      }));
  });
}

export function raceTruth(
  blocks: readonly LaunchBlock[],
  { mint, slot: createdSlot, creator }: TokenCreated,
  slots: number,
) {
  const deeds = deedsOf(blocks, mint).filter(({ slot }) => slot >= createdSlot && slot < createdSlot + slots);
  const landedAt = new Set(
    deeds.filter(({ swaps }) => swaps.length > 0).map(({ slot, blockIndex }) => `${slot} ${blockIndex}`),
  );
  const tries = deeds.flatMap((deed) => {
    const buys = deed.swaps.filter(({ isBuy, protocolActor }) => isBuy && !protocolActor);
    const attempt = deed.attempt?.isBuy === false ? undefined : deed.attempt;
    const told = buys[0] ?? attempt;
    return told === undefined ? [] : [{ ...deed, buys, attempt, told }];
  });
  const board = tries.map(({ slot, blockIndex, buys, attempt, told }) => {
    const isDev = told.feePayer === creator || [told, ...buys].some(({ trader }) => trader === creator);
    return {
      wallet: told.trader as string,
      slots_after_creation: slot - createdSlot,
      block_index: blockIndex,
      outcome: (attempt?.outcome ?? (isDev ? 'dev_buy' : 'landed')) as string,
      bundled: attempt === undefined && [-1, 1].some((step) => landedAt.has(`${slot} ${blockIndex + step}`)),
      fee: String(attempt?.networkFee ?? buys.reduce((sum, { fee }) => sum + fee, 0n)),
      cu_price: String(told.budget.cuPrice),
      why: attempt === undefined || attempt.why === '' ? undefined : attempt.why,
    };
  });
  const outside = tries.filter(({ buys, told }) =>
    [told, ...buys].every(({ feePayer, trader }) => feePayer !== creator && trader !== creator),
  );
  const winner = board.find(({ outcome }) => outcome === 'landed');
  if (winner !== undefined) winner.outcome = 'won';
  const isKnown = (place: number) => tries[place]!.told.venue === 0 && tries[place]!.told.budget.source !== 2;
  const beyondSignatures = ({ networkFee, signatures }: Attempt) => Number(networkFee) - 5_000 * signatures;
  const lost = tries
    .flatMap(({ attempt }, place) => (attempt?.outcome === 'rejected' && isKnown(place) ? [attempt] : []))
    .toSorted((a, b) => beyondSignatures(b) - beyondSignatures(a) || Number(b.budget.cuPrice - a.budget.cuPrice));
  const known = winner === undefined || isKnown(board.indexOf(winner));
  const together = tries.filter((_, place) => board[place]!.slots_after_creation === 0 && board[place]!.bundled);
  const counted = (outcome: string) => board.filter((each) => each.outcome === outcome).length;
  return {
    created_slot: createdSlot,
    attempts: board.length,
    landed: tries.filter(({ attempt }) => attempt === undefined).length,
    contenders: new Set(outside.map(({ told }) => told.trader)).size,
    ...(winner === undefined ? {} : { winner: winner.wallet }),
    winner_cu_price: winner !== undefined && known ? winner.cu_price : '0',
    winner_bid_known: known,
    ...(lost.length === 0 ? {} : { losing_cu_price_max: String(lost[0]!.budget.cuPrice) }),
    self_aborts: counted('self_abort'),
    unknown_outcome: counted('failed_unknown'),
    bundle_size: together.some(({ buys }) => buys.some(({ trader }) => trader !== creator)) ? together.length : 0,
    by_slot: [...new Set(board.map((each) => each.slots_after_creation))].map((after) => {
      const places = board.flatMap((each, place) => (each.slots_after_creation === after ? [place] : []));
      const paid = places.flatMap((place) => (tries[place]!.attempt === undefined ? [tries[place]!.told.tip] : []));
      const declared = places.map((place) => tries[place]!.attempt?.tipPayable ?? tries[place]!.told.tip);
      return {
        slots_after_creation: after,
        attempts: places.length,
        landed: places.filter((place) => tries[place]!.attempt === undefined).length,
        wallets: new Set(places.map((place) => board[place]!.wallet)).size,
        median_tip: middle(paid),
        median_tip_declared: middle(declared),
      };
    }),
    board,
  };
}

function middle(tips: readonly bigint[]): string {
  const sorted = tips.toSorted((a, b) => Number(a - b));
  return String(((sorted[(sorted.length - 1) >> 1] ?? 0n) + (sorted[sorted.length >> 1] ?? 0n)) / 2n);
}

/** Intents of a launch's actors: buys side by side, and buys that stand alone whatever their buyers have in common. */
export function schemeTruth(blocks: readonly LaunchBlock[], { mint, creator }: TokenCreated, limit: number) {
  const first = blocks.flatMap(({ facts }) => facts.swaps.filter((swap) => swap.mint === mint)).slice(0, limit);
  const deeds = deedsOf(blocks, mint).filter(({ swaps }) => swaps.some((swap) => first.includes(swap)));
  const bundles: string[][] = [];
  const strangers: string[] = [];
  for (const { facts, transactions } of blocks) {
    const here = deeds.filter(({ slot }) => slot === facts.slot);
    const intents = new Map(transactions.map((intent) => [intent.blockIndex, intent]));
    const byGroup = groupBy(
      here.filter(({ blockIndex }) => intents.get(blockIndex)?.actor === 'bundler'),
      ({ blockIndex }) => intents.get(blockIndex)?.group,
    );
    for (const group of byGroup.values()) {
      // Blocks that filled up, or a bundler's sales later on, leave others between them.
      const isSideBySide = group.every(
        (deed, place) => place === 0 || deed.blockIndex === group[place - 1]!.blockIndex + 1,
      );
      const buyers = group.flatMap(({ swaps }) => swaps.filter(({ isBuy }) => isBuy).map(({ trader }) => trader));
      if (group.length > 1 && isSideBySide && buyers.some((buyer) => buyer !== creator)) bundles.push(buyers);
    }
    for (const { blockIndex } of here) {
      const isAlone = here.every((other) => Math.abs(other.blockIndex - blockIndex) !== 1);
      const intent = intents.get(blockIndex);
      if (intent?.actor === 'spread_bundler' && isAlone) strangers.push(encodeSignature(intent.signature));
    }
  }
  return { bundles, strangers, first: first.map(({ signature, ixIndex }) => [encodeSignature(signature), ixIndex]) };
}

export function firstBuyersTruth(blocks: readonly LaunchBlock[], { mint, creator }: TokenCreated) {
  const swaps = blocks.flatMap(({ facts }) => facts.swaps.filter((swap) => swap.mint === mint && !swap.protocolActor));
  const buys = swaps.filter(({ isBuy }) => isBuy);
  const firsts = buys.filter(({ trader }, place) => buys.findIndex((buy) => buy.trader === trader) === place);
  return firsts.slice(0, 500).map(({ trader, slot, blockIndex }) => {
    const sum = (isBuy: boolean) =>
      swaps.reduce((sum, swap) => sum + (swap.trader === trader && swap.isBuy === isBuy ? swap.tokenAmount : 0n), 0n);
    return {
      ...{ wallet: trader, slot, block_index: blockIndex, is_dev: trader === creator },
      ...{ tokens_bought: String(sum(true)), tokens_sold: String(sum(false)) },
    };
  });
}
