import { createHash } from 'node:crypto';
import type { Address } from '../../chain/address.ts';
import { encodeBase58 } from '../../chain/keys/base58.ts';
import type { Wallet } from '../keyring.ts';
import { blockTruth, type Placed } from '../truth/block-truth.ts';
import type { BlockTruth, Scheme } from '../truth.ts';
import type { World } from '../world.ts';
import type { ProducedBlock } from './block.ts';
import { LAMPORTS_PER_SIGNATURE } from './budget.ts';
import type { AddressTable } from './compile.ts';
import { FEE_POT, land } from './land.ts';
import type { Cluster } from './plan.ts';
import type { LandedTransaction } from './transaction.ts';

/** The block before, as its child names it. */
export interface Parent {
  readonly slot: number;
  readonly blockhash: Uint8Array;
}

/** Runs the clusters in their order and makes a block of what lands. */
export function produceBlock(options: {
  readonly world: World;
  readonly slot: number;
  readonly height: number;
  readonly time: number;
  readonly parent: Parent;
  readonly leader: Wallet;
  readonly tables: readonly AddressTable[];
  readonly clusters: readonly Cluster[];
  readonly schemes: readonly Scheme[];
}): { readonly block: ProducedBlock; readonly truth: BlockTruth } {
  const { height, leader, parent, slot, time, world } = options;
  const { keyring, bank } = world;
  const transactions: LandedTransaction[] = [];
  const placed: Placed[] = [];
  let signatures = 0;
  for (const plan of options.clusters.flatMap((cluster) => cluster.plans)) {
    const landing = land(plan, {
      bank,
      keyring,
      tables: options.tables,
      unixTime: time,
      blockhash: parent.blockhash,
    });
    if (landing === undefined) continue;
    if (!landing.transaction.isVote) placed.push({ ...landing, blockIndex: transactions.length });
    transactions.push(landing.transaction);
    signatures += landing.transaction.signatures.length;
  }
  const blockhash = createHash('sha256').update(`${world.seed}/block/${slot}`).digest();
  const leaderReward = payLeader(world, leader.address, signatures);
  const voteCount = transactions.length - placed.length;
  const frame = { slot, parentSlot: parent.slot, time, blockhash: encodeBase58(blockhash), voteCount };
  return {
    truth: blockTruth(frame, placed, options.schemes),
    block: {
      slot,
      parentSlot: parent.slot,
      height,
      time,
      blockhash,
      parentBlockhash: parent.blockhash,
      transactions,
      leader: leader.address,
      leaderReward,
      leaderBalance: bank.lamports(leader.address),
    },
  };
}

/** Half of the base fees is burnt; the leader gets the rest, and all priority fees. */
function payLeader({ bank }: World, leader: Address, signatures: number): bigint {
  const burnt = (LAMPORTS_PER_SIGNATURE * BigInt(signatures)) / 2n;
  const reward = bank.lamports(FEE_POT) - burnt;
  bank.burnLamports(FEE_POT, burnt);
  bank.moveLamports(FEE_POT, leader, reward);
  return reward;
}
