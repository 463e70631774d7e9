import type { Block } from '../chain/block.ts';
import { readRpcBlock } from '../chain/rpc-json.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { createRpcClient, RPC_CODES, type RpcClient, RpcError } from './json-rpc.ts';
import { type BlockSource, confirmedSteps } from './source.ts';

export interface RpcSourceOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly journal: Journal;
  readonly random?: () => number;
}

/** A block is up to 10 MB of JSON, so this bounds memory as well as the node's load. */
const MAX_CONCURRENT_BLOCKS = 4;
/** Slots asked for at once when behind. */
const WINDOW_SLOTS = 64;
/** About two slots: the node has nothing new much sooner. */
const POLL_MS = 400;
/** A node that lags behind the one that listed a block answers null for it. */
const MAX_NULL_ANSWERS = 20;
/** The same of a node that has less history than the one that was asked for the oldest block. */
const MAX_GONE_ANSWERS = 20;
/** Parents fetched one by one where a node's list of blocks has a hole. */
const MAX_MISSING_PARENTS = 64;

const COMMITMENT = { commitment: 'confirmed' } as const;
const BLOCK_OPTIONS = {
  ...COMMITMENT,
  encoding: 'base64',
  transactionDetails: 'full',
  maxSupportedTransactionVersion: 1,
  rewards: false,
} as const;

/**
 * Blocks of a node's JSON-RPC, confirmed, in slot order. Nodes behind one
 * address may differ in how far they are, so what their list of blocks leaves
 * out is believed only when the parent links agree.
 */
export function createRpcSource(options: RpcSourceOptions): BlockSource {
  const client = createRpcClient(options);
  return {
    name: 'rpc',
    async *steps({ fromSlot, signal }) {
      const reader = createBlockReader(client, options, signal);
      try {
        yield* confirmedSteps(reader.follow(fromSlot ?? (await reader.head())));
      } catch (error) {
        if (!signal.aborted) throw error;
      }
    },
  };
}

function createBlockReader(client: RpcClient, { clock, log, journal }: RpcSourceOptions, signal: AbortSignal) {
  const call = (method: string, params: readonly unknown[]) => client.call(method, params, signal);

  async function head(): Promise<number> {
    return Number(await call('getSlot', [COMMITMENT]));
  }

  /** Undefined when the slot turns out to be skipped, or the node keeps answering null. */
  async function fetchBlock(slot: number): Promise<Block | undefined> {
    try {
      for (let tries = 0; tries < MAX_NULL_ANSWERS && !signal.aborted; tries += 1) {
        const result = await call('getBlock', [slot, BLOCK_OPTIONS]);
        if (result !== null) return readRpcBlock(slot, result, journal);
        await clock.sleep(POLL_MS, signal);
      }
      return undefined;
    } catch (error) {
      if (error instanceof RpcError && isSkipped(error.code)) return undefined;
      throw error;
    }
  }

  /** Blocks of the slots in order, some fetched ahead. */
  async function* fetchAll(slots: readonly number[]): AsyncGenerator<Block> {
    const ahead: Promise<Block | undefined>[] = [];
    let next = 0;
    const fill = () => {
      while (ahead.length < MAX_CONCURRENT_BLOCKS && next < slots.length) {
        const fetched = fetchBlock(slots[next]!);
        // Whoever fails first is thrown below; the others must not count as unhandled.
        fetched.catch(() => {});
        ahead.push(fetched);
        next += 1;
      }
    };
    for (fill(); ahead.length > 0; fill()) {
      const block = await ahead.shift()!;
      if (block !== undefined) yield block;
    }
  }

  /** Blocks between `lastSlot` and `block` that its parent links tell of, oldest first. */
  async function missingParents(lastSlot: number, block: Block): Promise<Block[]> {
    const found: Block[] = [];
    let parentSlot = block.parentSlot;
    while (parentSlot > lastSlot && found.length < MAX_MISSING_PARENTS) {
      const parent = await fetchBlock(parentSlot);
      if (parent === undefined) break;
      found.unshift(parent);
      parentSlot = parent.parentSlot;
    }
    if (parentSlot > lastSlot) log.warn({ from_slot: lastSlot + 1, to_slot: parentSlot }, 'the node lacks these slots');
    return found;
  }

  async function* follow(start: number): AsyncGenerator<Block> {
    let next = start;
    let goneAnswers = 0;
    while (!signal.aborted) {
      const newest = await head();
      if (newest < next) {
        await clock.sleep(POLL_MS, signal);
        continue;
      }
      const end = Math.min(newest, next + WINDOW_SLOTS - 1);
      const before = next;
      try {
        const slots = (await call('getBlocks', [next, end, COMMITMENT])) as number[];
        for await (const block of fetchAll(slots)) {
          for (const parent of await missingParents(next - 1, block)) yield parent;
          yield block;
          next = block.slot + 1;
          goneAnswers = 0;
        }
        if (next > before) continue;
        // Nothing at all in the window: believe it once the chain is well past, else ask again.
        if (newest >= end + WINDOW_SLOTS) next = end + 1;
        else await clock.sleep(POLL_MS, signal);
      } catch (error) {
        if (!(error instanceof RpcError && isGone(error.code))) throw error;
        const first = Number(await call('getFirstAvailableBlock', []));
        if (first <= next) {
          goneAnswers += 1;
          if (goneAnswers >= MAX_GONE_ANSWERS) throw error;
          await clock.sleep(POLL_MS, signal);
          continue;
        }
        log.warn({ from_slot: next, to_slot: first - 1 }, 'the node no longer has these slots; going on after them');
        next = first;
      }
    }
  }

  return { head, follow };
}

function isSkipped(code: number): boolean {
  return code === RPC_CODES.slotSkipped || code === RPC_CODES.longTermSlotSkipped;
}

function isGone(code: number): boolean {
  return code === RPC_CODES.blockCleanedUp || code === RPC_CODES.historyNotAvailable;
}
