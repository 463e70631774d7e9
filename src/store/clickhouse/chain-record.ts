import { chainName, SIMULATED_CHAIN } from '../../chain/clusters.ts';
import type { Logger } from '../../kernel/log.ts';
import { readJson, runStatement, type StoreClient } from './client.ts';
import { StoreError } from './store-error.ts';

/** The chain whose blocks are about to be written. */
export interface StoreChain {
  /** Its genesis hash in base58, or {@link SIMULATED_CHAIN}. */
  readonly id: string;
  /** Source of `id`, for the record and the log. */
  readonly knownBy: string;
  /** Slot at which every simulated chain begins. */
  readonly simulatedStart: number;
  /** The hash in base58 of its block at a slot; undefined when nobody can say. Left out where there is no node to ask. */
  readonly blockhashAt?: ((slot: number) => Promise<string | undefined>) | undefined;
}

interface RecordTools {
  /** True while an outbox still holds blocks for the store. */
  readonly isAwaited: boolean;
  readonly log: Logger;
  /** Place of the store, for the operator: a folder or a URL without secrets. */
  readonly place: string;
}

/** Blocks at each end of a store that are compared with what the chain's node says. */
const COMPARED_BLOCKS = 3;

/**
 * Holds a store to one chain: compares with what it has recorded, or judges once
 * what it holds and records that. Nobody else may be writing.
 * Throws `other_chain` when its blocks are of another one.
 */
export async function settleChain(
  client: StoreClient,
  chain: StoreChain,
  { log, place, isAwaited }: RecordTools,
): Promise<void> {
  const recorded = await readChainRecord(client);
  const other = recorded.find((id) => id !== chain.id);
  if (recorded.length > 0 && other === undefined) return;
  if (other !== undefined) {
    const { slots } = await readSlots(client, chain.simulatedStart);
    if (slots > 0 || isAwaited) throw otherChain(place, `is of ${chainName(other)}`, chain);
    // A start that never got a block binds nobody.
    await runStatement(client, 'DELETE FROM chain_record WHERE true');
  }
  const judged = await judge(client, chain, place);
  const found_by = `${chain.knownBy}; ${judged}`;
  await client.insert({
    table: 'chain_record',
    values: [{ chain: chain.id, found_by }],
    format: 'JSONEachRow',
    columns: ['chain', 'found_by'],
  });
  log.info({ chain: chain.id, known_by: chain.knownBy, judged }, `the store is of ${chainName(chain.id)} from now on`);
}

/** True when a store is recorded to be of this chain, and of no other. */
export async function isOfChain(client: StoreClient, id: string): Promise<boolean> {
  const recorded = await readChainRecord(client);
  return recorded.length > 0 && recorded.every((each) => each === id);
}

/** The chains that a store says it is of: none before it is judged, one afterwards. */
async function readChainRecord(client: StoreClient): Promise<readonly string[]> {
  const { chains } = await readOne<{ chains: string[] }>(
    client,
    'SELECT arraySort(groupUniqArray(chain)) AS chains FROM chain_record',
  );
  return chains;
}

/** Returns how the store was found to be of this chain. Throws when it is of another one. */
async function judge(client: StoreClient, chain: StoreChain, place: string): Promise<string> {
  const { slots, oldest, starts } = await readSlots(client, chain.simulatedStart);
  if (slots === 0) return 'it was empty';
  const isSimulated = oldest === chain.simulatedStart;
  if (chain.id === SIMULATED_CHAIN) {
    if (isSimulated) return `judged by its first slot, ${oldest}, where simulated chains begin`;
    const holds = starts
      ? `holds blocks of two chains: slots from ${oldest} on, and a simulated chain from ${chain.simulatedStart} on`
      : `has no record of its chain, and its first slot is ${oldest}: simulated chains begin at ${chain.simulatedStart}`;
    throw otherChain(place, holds, chain);
  }
  const compared = await compareBlocks(client, chain);
  if (compared.others.length > compared.same.length || (starts && compared.others.length > 0)) {
    const slotsOf = compared.others.join(', ');
    throw otherChain(place, `has no record of its chain, and other blocks than its node at slot ${slotsOf}`, chain);
  }
  if (compared.same.length > 0)
    return `judged by blockhashes, which its node says too: slots ${compared.same.join(', ')}`;
  if (starts) {
    const holds = isSimulated ? 'is of the simulated chain' : 'holds blocks of two chains';
    throw otherChain(place, `${holds}: it has slot ${chain.simulatedStart}, where simulated chains begin`, chain);
  }
  return `judged by its slots, from ${oldest} on: no simulated chain begins there`;
}

interface StoredSlots {
  /** Ranges of whole slots and slots with single transactions. */
  readonly slots: number;
  readonly oldest: number;
  /** Something begins exactly where simulated chains begin. */
  readonly starts: boolean;
}

async function readSlots(client: StoreClient, simulatedStart: number): Promise<StoredSlots> {
  const row = await readOne<{ slots: string; oldest: number; starts: string }>(
    client,
    `SELECT count() AS slots, min(slot) AS oldest, countIf(slot = ${simulatedStart}) AS starts
     FROM (SELECT first_slot AS slot FROM coverage UNION ALL SELECT slot FROM partial_slots)`,
  );
  return { slots: Number(row.slots), oldest: row.oldest, starts: Number(row.starts) > 0 };
}

interface Compared {
  readonly same: readonly number[];
  readonly others: readonly number[];
}

/** The oldest and newest blocks, and the one where a simulated chain would begin, beside those of the chain's node. */
async function compareBlocks(client: StoreClient, chain: StoreChain): Promise<Compared> {
  const same: number[] = [];
  const others: number[] = [];
  if (chain.blockhashAt === undefined) return { same, others };
  const { blocks } = await readOne<{ blocks: [number, string][] }>(
    client,
    `SELECT arrayDistinct(arrayConcat(
       groupArraySorted(${COMPARED_BLOCKS})((slot, blockhash)),
       groupArrayIf((slot, blockhash), slot = ${chain.simulatedStart}),
       arraySort(groupArraySorted(${COMPARED_BLOCKS})((toUInt32(-slot), (slot, blockhash))).2)
     )) AS blocks
     FROM blocks`,
  );
  for (const [slot, blockhash] of blocks) {
    const said = await chain.blockhashAt(slot);
    if (said !== undefined && blockhash !== '') (said === blockhash ? same : others).push(slot);
  }
  return { same, others };
}

/** The one row of an aggregate: an answer without it is none, and not an empty table. */
async function readOne<R>(client: StoreClient, query: string): Promise<R> {
  const [row] = await readJson<R>(client, query);
  if (row === undefined) throw new StoreError('server_unusable', 'the store did not say which chain it is of');
  return row;
}

function otherChain(place: string, holds: string, chain: StoreChain): StoreError {
  const ours = `and what is configured brings ${chainName(chain.id)} (${chain.knownBy})`;
  const remedy =
    'give each chain a place of its own: another MINTSCOPE_DATA_DIR and, with CLICKHOUSE_URL, another database; ' +
    'or configure the chain that is stored (MINTSCOPE_SOURCE, SOLANA_RPC_URL, MINTSCOPE_CHAIN)';
  return new StoreError('other_chain', `the store in ${place} ${holds}, ${ours}. Nothing was written: ${remedy}`);
}
