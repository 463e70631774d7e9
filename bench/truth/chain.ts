import type { Address } from '../../src/chain/address.ts';
import type { Attempt, BlockFacts, Burn, Funding, Swap, TokenCreated, Transfer } from '../../src/facts/fact.ts';
import { createSimulator } from '../../src/simulator/simulator.ts';
import { createSchemeBook, type PlayedScheme } from '../../src/simulator/truth/schemes.ts';
import type { World } from '../../src/simulator/world.ts';
import { writeBlockFile } from '../../src/sources/block-file.ts';

/** The truth about one token, independent of any answer. Lists are in order of position. */
export interface TokenTruth {
  readonly mint: Address;
  readonly creation: TokenCreated;
  readonly swaps: readonly Swap[];
  readonly attempts: readonly Attempt[];
  readonly transfers: readonly Transfer[];
  readonly burns: readonly Burn[];
  readonly schemes: readonly PlayedScheme[];
}

/** The truth about a chain. */
export interface ChainTruth {
  readonly seed: string;
  readonly world: World;
  readonly tokens: readonly TokenTruth[];
  /** In order of position. */
  readonly fundings: readonly Funding[];
  /** Unix seconds of the newest block. */
  readonly lastTime: number;
  readonly lastSlot: number;
  readonly swapCount: number;
}

const SLOTS_PER_S = 5;

/** A chain of `desk` load as a file of Yellowstone bytes, and its truth. */
export async function makeChain(seed: string, seconds: number, path: string): Promise<ChainTruth> {
  const simulator = createSimulator({ seed: `truth-${seed}`, sign: false });
  const book = createSchemeBook();
  const facts: BlockFacts[] = [];
  function* blocks(): Generator<Uint8Array> {
    let last = Number.POSITIVE_INFINITY;
    for (let slot = 0; slot < last; ) {
      const block = simulator.next();
      slot = block.slot;
      if (facts.length === 0) last = slot + seconds * SLOTS_PER_S;
      facts.push(block.truth.facts('decoded'));
      book.add(slot, block.truth);
      yield block.geyser();
    }
  }
  await writeBlockFile(path, blocks());
  const last = facts.at(-1)!;
  return {
    seed,
    world: simulator.world,
    tokens: tokensOf(facts, book.all()),
    fundings: facts.flatMap(({ fundings }) => fundings),
    lastTime: last.time,
    lastSlot: last.slot,
    swapCount: facts.reduce((sum, { swaps }) => sum + swaps.length, 0),
  };
}

function tokensOf(facts: readonly BlockFacts[], schemes: readonly PlayedScheme[]): TokenTruth[] {
  const swaps = byMint(facts.flatMap((block) => block.swaps));
  const attempts = byMint(facts.flatMap((block) => block.attempts));
  const transfers = byMint(facts.flatMap((block) => block.transfers));
  const burns = byMint(facts.flatMap((block) => block.burns));
  const played = byMint(schemes);
  return facts
    .flatMap(({ created }) => created)
    .map((creation) => ({
      mint: creation.mint,
      creation,
      swaps: swaps.get(creation.mint) ?? [],
      attempts: attempts.get(creation.mint) ?? [],
      transfers: transfers.get(creation.mint) ?? [],
      burns: burns.get(creation.mint) ?? [],
      schemes: played.get(creation.mint) ?? [],
    }));
}

function byMint<T extends { readonly mint: Address }>(facts: readonly T[]): Map<Address, T[]> {
  const groups = new Map<Address, T[]>();
  for (const fact of facts) {
    const group = groups.get(fact.mint);
    if (group === undefined) groups.set(fact.mint, [fact]);
    else group.push(fact);
  }
  return groups;
}
