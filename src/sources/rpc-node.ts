import { MalformedWire } from '../chain/malformed-wire.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import {
  BLOCK_OPTIONS,
  BlockFetcher,
  COMMITMENT,
  type FetchedBlock,
  MAX_MALFORMED_ANSWERS,
  POLL_MS,
} from './block-fetcher.ts';
import { type BlockLinks, type HeldHash, type LinkConflict, readLinks } from './chain-links.ts';
import type { RpcClient } from './json-rpc.ts';
import { NodeHistory } from './node-history.ts';
import { isGone, isLastWord, isRefusal } from './node-words.ts';
import { RpcAnswerTooLarge, RpcError } from './rpc-errors.ts';

/** Questions about blocks to one address, behind which many nodes may be, each as far as it is. */
export interface RpcNode {
  /** Newest confirmed slot; of several nodes that of the one asked, which may lag behind others. */
  head(): Promise<number>;
  /** The oldest slot that it has, as far as it tells; 0 when it does not. */
  historyStart(wanted: number): Promise<number>;
  /** Slots with a block, ascending; undefined when the node gives no such list, now or ever. */
  listBlocks(first: number, last: number): Promise<readonly number[] | undefined>;
  fetchBlock(slot: number): Promise<FetchedBlock>;
  /** Notes a block of the node's that does not follow what is held before it. */
  unlinked(slot: number, conflict: LinkConflict): void;
  /** Notes one that the node holds to, however often it is asked. */
  doubtful(slot: number, conflict: LinkConflict): void;
  /** Slots and hashes of a block and its parent, asked without transactions; undefined when it cannot be had. */
  findLinks(slot: number): Promise<BlockLinks | undefined>;
}

export interface RpcNodeTools {
  readonly client: RpcClient;
  readonly clock: Clock;
  readonly log: Logger;
  readonly journal: Journal;
  /** Of blocks from before those that are read. */
  readonly heldHash?: HeldHash | undefined;
}

export function createRpcNode(tools: RpcNodeTools, signal: AbortSignal): RpcNode {
  const { client, clock, log, journal } = tools;
  const history = new NodeHistory({ clock, ask: async () => asSlot(await call('getFirstAvailableBlock', [])) });
  const blocks = new BlockFetcher({ ...tools, history, signal });
  let givesLists: boolean | undefined;

  const call = (method: string, params: readonly unknown[]) => client.call(method, params, signal);

  async function listBlocks(first: number, last: number): Promise<readonly number[] | undefined> {
    if (givesLists === false) return undefined;
    try {
      const result = await call('getBlocks', [first, last, COMMITMENT]);
      givesLists = true;
      return slotsWithin(result, first, last);
    } catch (error) {
      // A list that is too large to be read is as good as none.
      if (error instanceof RpcAnswerTooLarge) return [];
      // Slots older than the node's history are found out when the parent links lead there.
      if (isGone(error)) return [];
      if (isLastWord(error)) return undefined;
      if (givesLists === true || !isRefusal(error)) throw error;
      givesLists = false;
      log.warn({ err: String(error) }, 'the node does not list blocks; asking slot by slot');
      return undefined;
    }
  }

  const told = (slot: number, { reason, heldSlot }: LinkConflict) => {
    return { subject: client.host, detail: { slot, held_slot: heldSlot, reason } };
  };

  async function head(): Promise<number> {
    for (let malformed = 0; malformed < MAX_MALFORMED_ANSWERS; malformed += 1) {
      const slot = asSlot(await call('getSlot', [COMMITMENT]).catch(unlessTooLarge));
      if (slot !== undefined) return slot;
      await clock.sleep(POLL_MS, signal);
    }
    throw new MalformedWire("the node's newest slot is no slot");
  }

  return {
    unlinked: (slot, conflict) => journal.note({ code: 'unlinked_block', ...told(slot, conflict) }),
    doubtful: (slot, conflict) => journal.note({ code: 'doubtful_block', ...told(slot, conflict) }),
    head,
    historyStart: (wanted) => history.start(wanted),
    listBlocks,
    fetchBlock: (slot) => blocks.fetch(slot),
    async findLinks(slot) {
      try {
        const options = { ...BLOCK_OPTIONS, transactionDetails: 'none' };
        return readLinks(slot, await call('getBlock', [slot, options]));
      } catch (error) {
        if (isRefusal(error)) {
          const fetched = await blocks.fetch(slot);
          return fetched.kind === 'block' ? fetched.block : undefined;
        }
        if (error instanceof RpcError || error instanceof RpcAnswerTooLarge) return undefined;
        throw error;
      }
    },
  };
}

function unlessTooLarge(error: unknown): undefined {
  if (!(error instanceof RpcAnswerTooLarge)) throw error;
}

function asSlot(json: unknown): number | undefined {
  return typeof json === 'number' && Number.isSafeInteger(json) && json >= 0 ? json : undefined;
}

/** A list is believed as far as it is one of slots in the range. */
function slotsWithin(list: unknown, first: number, last: number): readonly number[] {
  if (!Array.isArray(list)) return [];
  const slots = list.filter((slot): slot is number => Number.isSafeInteger(slot) && slot >= first && slot <= last);
  return slots.sort((a, b) => a - b);
}
