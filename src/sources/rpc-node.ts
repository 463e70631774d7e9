import type { Block } from '../chain/block.ts';
import { MalformedWire } from '../chain/malformed-wire.ts';
import { readRpcBlock } from '../chain/rpc/rpc-json.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { type BlockLinks, type HeldHash, type LinkConflict, readLinks } from './chain-links.ts';
import type { RpcClient } from './json-rpc.ts';
import { RPC_CODES, RpcAnswerTooLarge, RpcError, RpcHttpError } from './rpc-errors.ts';

/** The outcome of asking for the block of one slot. */
export type FetchedBlock =
  /** `bytes` as the answer had. */
  | { readonly kind: 'block'; readonly block: Block; readonly bytes: number }
  /** The node says that the slot has no block. It says so too of blocks that it never got. */
  | { readonly kind: 'none' }
  /** The node cannot give it, whatever it is. */
  | { readonly kind: 'lost'; readonly reason: string };

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

/** About two slots: a node that lags has nothing new much sooner. */
export const POLL_MS = 400;
/** A node that lags behind the one that listed a block answers null for it. */
const MAX_NULL_ANSWERS = 20;
/** The same of a node that has less history than the one that was asked for the oldest block. */
const MAX_GONE_ANSWERS = 20;
/** Answers that are no block, or no slot. */
const MAX_MALFORMED_ANSWERS = 3;
/** Refusals of one block by a node that has given others, some seconds: then it is this block, or the node. */
const MAX_REFUSALS = 8;
/** Nodes asked for their oldest block before a slot counts as gone. */
const MAX_HISTORY_ANSWERS = 3;
/** Milliseconds that such an answer holds: history is cut off at its old end all the time. */
const HISTORY_MS = 60_000;

const COMMITMENT = { commitment: 'confirmed' } as const;
/** One version 1 transaction fails the whole block for who does not ask for version 1. */
const BLOCK_OPTIONS = { ...COMMITMENT, maxSupportedTransactionVersion: 1, rewards: false } as const;

const GONE_CODES: ReadonlySet<number> = new Set([RPC_CODES.blockCleanedUp, RPC_CODES.historyNotAvailable]);
const SKIPPED_CODES: ReadonlySet<number> = new Set([RPC_CODES.slotSkipped, RPC_CODES.longTermSlotSkipped]);
/** Last words about one block, one list or the oldest block, after the client has asked several times. */
const LOST_CODES: ReadonlySet<number> = new Set([
  RPC_CODES.blockNotAvailable,
  RPC_CODES.blockStatusNotYetAvailable,
  RPC_CODES.longTermStorageUnreachable,
  RPC_CODES.serverError,
  RPC_CODES.internalError,
]);
/** Answers by which providers say that a method or a parameter is not in the plan. */
const REFUSAL_CODES: ReadonlySet<number> = new Set([RPC_CODES.methodNotFound, RPC_CODES.invalidParams, -32_600]);
const REFUSAL_STATUSES: ReadonlySet<number> = new Set([400, 403, 404, 405, 410, 501]);

export function createRpcNode({ client, clock, log, journal }: RpcNodeTools, signal: AbortSignal): RpcNode {
  let encoding: 'base64' | 'json' = 'base64';
  /** Blocks given in each: what was given once is not refused for what it is. */
  const given = { base64: 0, json: 0 };
  /** The block that was refused last when no other was given either, and how many had been. */
  let stuck = { slot: -1, given: 0 };
  let givesLists: boolean | undefined;
  /** The answer of the node with the most history, for a while. */
  let history = { oldest: Number.POSITIVE_INFINITY, until: 0 };

  const call = (method: string, params: readonly unknown[], weigh?: (bytes: number) => void) =>
    client.call(method, params, signal, weigh);

  async function historyStart(wanted: number): Promise<number> {
    if (clock.elapsed() >= history.until) history = { oldest: Number.POSITIVE_INFINITY, until: 0 };
    for (let answers = 0; answers < MAX_HISTORY_ANSWERS && history.oldest > wanted; answers += 1) {
      const oldest = await oldestSlot();
      history = { oldest: Math.min(history.oldest, oldest), until: clock.elapsed() + HISTORY_MS };
    }
    return history.oldest;
  }

  async function oldestSlot(): Promise<number> {
    try {
      return asSlot(await call('getFirstAvailableBlock', [])) ?? 0;
    } catch (error) {
      // A node without an answer to this may have the blocks all the same.
      if (isRefusal(error) || isLastWord(error) || error instanceof RpcAnswerTooLarge) return 0;
      throw error;
    }
  }

  /** As `getBlock` answers, in the first encoding that the node gives. */
  async function getBlock(slot: number, weigh: (bytes: number) => void): Promise<unknown> {
    for (;;) {
      // Others that are under way may find out meanwhile what the node gives.
      const asked = encoding;
      try {
        const options = { ...BLOCK_OPTIONS, encoding: asked, transactionDetails: 'full' };
        const result = await call('getBlock', [slot, options], weigh);
        if (result !== null) given[asked] += 1;
        return result;
      } catch (error) {
        if (asked === 'json' || given.base64 > 0 || !isRefusal(error)) throw error;
        if (encoding === asked) log.warn({ err: String(error) }, 'the node refuses blocks in base64; asking for json');
        encoding = 'json';
      }
    }
  }

  async function fetchBlock(slot: number): Promise<FetchedBlock> {
    let nulls = 0;
    let gone = 0;
    let malformed = 0;
    let refused = 0;
    let bytes = 0;
    let empty = false;
    let givenBefore = 0;
    for (;;) {
      try {
        const result = await getBlock(slot, (weight) => {
          bytes = weight;
        });
        if (result !== null) {
          const block = readBlock(slot, result, journal);
          if (block.transactionCount > 0) return { kind: 'block', block, bytes };
          if (empty) journal.note({ code: 'empty_block', subject: client.host, detail: { slot } });
          if (empty) return { kind: 'block', block, bytes };
          empty = true;
        } else {
          nulls += 1;
          if (nulls >= MAX_NULL_ANSWERS) return lost('the node has no answer for it');
        }
      } catch (error) {
        if (error instanceof MalformedWire || error instanceof RpcAnswerTooLarge) {
          malformed += 1;
          if (malformed >= MAX_MALFORMED_ANSWERS) return lost(`the node's answer is no block: ${error.message}`);
        } else if (isFinal(error)) {
          const blocks = given.base64 + given.json;
          refused += 1;
          // Blocks that were under way come in a moment later.
          if (refused <= 2) givenBefore = blocks;
          // A node that never gave a block is set up wrongly. One that did may be one of several, or have a bad moment.
          if (blocks === 0) throw explained(error);
          const isOnlyThis = blocks > givenBefore || (stuck.slot === slot && blocks > stuck.given);
          if (refused >= MAX_REFUSALS && !isOnlyThis) {
            stuck = { slot, given: blocks };
            throw explained(error);
          }
          if (refused >= MAX_REFUSALS) return lost(explained(error).message);
        } else if (!(error instanceof RpcError)) {
          throw error;
        } else if (SKIPPED_CODES.has(error.code)) {
          return { kind: 'none' };
        } else if (GONE_CODES.has(error.code)) {
          gone += 1;
          const oldest = gone === 1 ? await historyStart(slot) : 0;
          if (oldest > slot) return lost(prunedReason(oldest));
          if (gone >= MAX_GONE_ANSWERS) return lost(error.message);
        } else {
          return lost(error.message);
        }
      }
      await clock.sleep(POLL_MS, signal);
    }
  }

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
      if (error instanceof RpcError && GONE_CODES.has(error.code)) return [];
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
    historyStart,
    listBlocks,
    fetchBlock,
    async findLinks(slot) {
      try {
        const options = { ...BLOCK_OPTIONS, transactionDetails: 'none' };
        return readLinks(slot, await call('getBlock', [slot, options]));
      } catch (error) {
        if (isRefusal(error)) {
          const fetched = await fetchBlock(slot);
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

function readBlock(slot: number, json: unknown, journal: Journal): Block {
  const block = readRpcBlock(slot, json, journal);
  const { previousBlockhash } = json as { readonly previousBlockhash?: unknown };
  if (typeof previousBlockhash !== 'string') throw new MalformedWire('a block without the hash of its parent');
  if (block.parentSlot >= slot && slot > 0) throw new MalformedWire('a block before its parent');
  return block;
}

export function prunedReason(oldest: number): string {
  return `the node's history begins at slot ${oldest}`;
}

function lost(reason: string): FetchedBlock {
  return { kind: 'lost', reason };
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

function isLastWord(error: unknown): boolean {
  return error instanceof RpcError && LOST_CODES.has(error.code);
}

export function isRefusal(error: unknown): boolean {
  if (error instanceof RpcError) return REFUSAL_CODES.has(error.code);
  return error instanceof RpcHttpError && REFUSAL_STATUSES.has(error.status);
}

/** True for errors after which the client does not ask again, and which say nothing about one block. */
function isFinal(error: unknown): error is RpcError | RpcHttpError {
  if (error instanceof RpcHttpError) return true;
  if (!(error instanceof RpcError)) return false;
  return !SKIPPED_CODES.has(error.code) && !GONE_CODES.has(error.code) && !LOST_CODES.has(error.code);
}

function explained(error: RpcError | RpcHttpError): Error {
  return error instanceof RpcError && error.code === RPC_CODES.versionNotSupported ? withoutVersion1(error) : error;
}

function withoutVersion1(error: RpcError): Error {
  return new RpcError(
    'getBlock',
    error.code,
    `the node does not give version 1 transactions, which blocks have since slot 447120000 (${error.message})`,
  );
}
