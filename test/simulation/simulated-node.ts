import { createHash } from 'node:crypto';
import { encodeBase58 } from '../../src/chain/keys/base58.ts';
import { LOADS } from '../../src/simulator/load.ts';
import { createNetwork, type Network } from '../../src/simulator/network/network.ts';
import { createRandom } from '../../src/simulator/random.ts';
import { createSimulator, type SimulatedBlock } from '../../src/simulator/simulator.ts';
import type { AdversityPlan, Orphan } from './adversity.ts';
import { orphanUpdate } from './orphan-block.ts';

export type NodeStatus = 'processed' | 'confirmed' | 'finalized' | 'created_bank' | 'dead';

/** An event at a node. Events are in its order. */
export type NodeEvent =
  | {
      readonly kind: 'block';
      readonly slot: number;
      /** True on the chain; an orphan or a twin is not. */
      readonly onChain: boolean;
      /** A whole `SubscribeUpdate`. */
      readonly update: () => Uint8Array;
    }
  | {
      readonly kind: 'status';
      readonly slot: number;
      readonly parent: number;
      readonly status: NodeStatus;
      /** False when nobody is told of it in words. */
      readonly told: boolean;
    };

/** A node that sees all of a simulated chain, forks included. What it tells whom is for its servers to decide. */
export interface SimulatedNode {
  /** Whose validators lead the chain. */
  readonly network: Network;
  readonly firstSlot: number;
  /** First slot of the chain, before anybody was there to see. */
  readonly oldestSlot: number;
  /** Everything so far. Grows at the end. */
  readonly events: readonly NodeEvent[];
  /** Newest slot that went by. */
  readonly headSlot: number;
  readonly confirmedSlot: number;
  /** One slot more: a block of the chain, an orphan, or nothing. */
  advance(): void;
  /** Confirms all there is. */
  confirmAll(): void;
  /** The confirmed block of a slot; undefined when there is none, or not yet. */
  confirmedBlock(slot: number): SimulatedBlock | undefined;
  /** The chain's blocks of these slots, both ends included. */
  chain(first: number, last: number): readonly SimulatedBlock[];
}

/** First slot of campaign chains: the partition of slots changes within the first of them. */
export const FIRST_SLOT = 459_999_970;
/** Slots from a block to its finality. Mainnet's are 31; fewer make more of them happen. */
const FINAL_AFTER = 14;
const PARENT_HASH = encodeBase58(new Uint8Array(32).fill(7));

/** Short epochs: several change in a campaign. */
const SLOTS_PER_EPOCH = 120;

/** As on a desk, with few votes: they are bytes that nobody stores. */
const LOAD = { ...LOADS.desk, votes: 30, background: 10 };

export function createSimulatedNode(plan: AdversityPlan): SimulatedNode {
  const { chain, seed } = plan;
  const oldestSlot = FIRST_SLOT - plan.sources.olderSlots;
  const at = (offset: number) => FIRST_SLOT + offset;
  const skipped = new Set(chain.skipped.map(at));
  const orphans = new Map(chain.orphans.map((orphan) => [at(orphan.at), orphan]));
  const twins = new Map(chain.twins.map((twin) => [at(twin.at), twin]));
  const dead = new Set(chain.dead.map(at));
  const untold = new Set(chain.untold.map(at));
  const network = createNetwork({ seed: `campaign/${seed}`, slotsPerEpoch: SLOTS_PER_EPOCH, sign: false });
  const simulator = createSimulator({
    network,
    seed: `campaign/${seed}`,
    load: LOAD,
    sign: false,
    startSlot: oldestSlot,
    isSkipped: (slot) => skipped.has(slot),
  });
  const random = createRandom(`node/${seed}`);
  const blocks = new Map<number, SimulatedBlock>();
  const hashes = new Map<number, string>([[oldestSlot - 1, PARENT_HASH]]);
  const events: NodeEvent[] = [];
  /** Orphans by the slot at which they come, and where each of them does: never before its parent. */
  const due = new Map<number, Orphan[]>();
  const comesAt = new Map<number, number>();
  let headSlot = oldestSlot - 1;
  let chainSlot = headSlot;
  let confirmedSlot = headSlot;
  let finalSlot = headSlot;
  let ahead = simulator.next();

  const status = (slot: number, parent: number, what: NodeStatus) =>
    events.push({ kind: 'status', slot, parent, status: what, told: what !== 'confirmed' || !untold.has(slot) });
  const parentOf = (slot: number) => blocks.get(slot)?.truth.facts('decoded').parentSlot ?? slot - 1;

  /** A block that is not on the chain: transactions of the chain's next one. */
  function pushStray(slot: number, parentSlot: number, label: string): void {
    const blockhash = encodeBase58(createHash('sha256').update(`${seed}/${label}/${slot}`).digest());
    hashes.set(slot, blockhash);
    const model = ahead;
    const share = random.pick([0.2, 0.6, 1]);
    const choices = createRandom(`${seed}/${label}/${slot}`);
    const parentBlockhash = hashes.get(parentSlot) ?? PARENT_HASH;
    let update: Uint8Array | undefined;
    status(slot, parentSlot, 'created_bank');
    events.push({
      kind: 'block',
      slot,
      onChain: false,
      update: () => {
        update ??= orphanUpdate(model.geyser(), {
          slot,
          blockhash,
          parentSlot,
          parentBlockhash,
          keeps: () => choices.chance(share),
        });
        return update;
      },
    });
    status(slot, parentSlot, 'processed');
  }

  function pushOrphan(orphan: Orphan): void {
    pushStray(at(orphan.at), at(orphan.parent), 'orphan');
    if (orphan.dead) status(at(orphan.at), at(orphan.parent), 'dead');
  }

  function pushBlock(block: SimulatedBlock): void {
    const { slot } = block;
    const { blockhash, parentSlot } = block.truth.facts('decoded');
    const twin = twins.get(slot);
    if (twin !== undefined) {
      pushStray(slot, parentSlot, 'twin');
      if (twin.dead) status(slot, parentSlot, 'dead');
    }
    blocks.set(slot, block);
    hashes.set(slot, blockhash);
    chainSlot = slot;
    let update: Uint8Array | undefined;
    status(slot, parentSlot, 'created_bank');
    events.push({
      kind: 'block',
      slot,
      onChain: true,
      update: () => {
        update ??= block.geyser();
        return update;
      },
    });
    status(slot, parentSlot, 'processed');
  }

  function confirmUpTo(slot: number): void {
    for (const block of chainBlocks(confirmedSlot + 1, slot)) {
      confirmedSlot = block.slot;
      status(block.slot, parentOf(block.slot), 'confirmed');
    }
    for (const block of chainBlocks(finalSlot + 1, confirmedSlot - FINAL_AFTER)) {
      finalSlot = block.slot;
      status(block.slot, parentOf(block.slot), 'finalized');
    }
  }

  function chainBlocks(first: number, last: number): SimulatedBlock[] {
    const found: SimulatedBlock[] = [];
    for (let slot = first; slot <= last; slot += 1) {
      const block = blocks.get(slot);
      if (block !== undefined) found.push(block);
    }
    return found;
  }

  const node: SimulatedNode = {
    network,
    firstSlot: FIRST_SLOT,
    oldestSlot,
    events,
    get headSlot() {
      return headSlot;
    },
    get confirmedSlot() {
      return confirmedSlot;
    },
    advance() {
      headSlot += 1;
      const orphan = orphans.get(headSlot);
      if (orphan !== undefined) {
        const slot = Math.max(headSlot + orphan.delay, comesAt.get(at(orphan.parent)) ?? 0);
        comesAt.set(headSlot, slot);
        due.set(slot, [...(due.get(slot) ?? []), orphan]);
      }
      for (const each of due.get(headSlot) ?? []) pushOrphan(each);
      if (dead.has(headSlot)) status(headSlot, chainSlot, 'dead');
      if (ahead.slot === headSlot) {
        pushBlock(ahead);
        ahead = simulator.next();
      }
      const [low, high] = chain.confirmAfter;
      confirmUpTo(headSlot - random.between(low, high));
    },
    confirmAll() {
      confirmUpTo(headSlot);
    },
    confirmedBlock: (slot) => (slot <= confirmedSlot ? blocks.get(slot) : undefined),
    chain: chainBlocks,
  };
  while (headSlot < FIRST_SLOT - 1) node.advance();
  node.confirmAll();
  return node;
}
