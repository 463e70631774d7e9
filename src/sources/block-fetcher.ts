import type { Block } from '../chain/block.ts';
import { MalformedWire } from '../chain/malformed-wire.ts';
import { readRpcBlock } from '../chain/rpc/rpc-json.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import type { RpcClient } from './json-rpc.ts';
import { type NodeHistory, prunedReason } from './node-history.ts';
import { explained, isFinal, isGone, isRefusal, isSkipped } from './node-words.ts';
import { RpcAnswerTooLarge, RpcError, type RpcHttpError } from './rpc-errors.ts';

/** The outcome of asking for the block of one slot. */
export type FetchedBlock =
  /** `bytes` as the answer had. */
  | { readonly kind: 'block'; readonly block: Block; readonly bytes: number }
  /** The node says that the slot has no block. It says so too of blocks that it never got. */
  | { readonly kind: 'none' }
  /** The node cannot give it, whatever it is. */
  | { readonly kind: 'lost'; readonly reason: string };

/** About two slots: a node that lags has nothing new much sooner. */
export const POLL_MS = 400;
/** A node that lags behind the one that listed a block answers null for it. */
const MAX_NULL_ANSWERS = 20;
/** The same of a node that has less history than the one that was asked for the oldest block. */
const MAX_GONE_ANSWERS = 20;
/** Answers that are no block, or no slot. */
export const MAX_MALFORMED_ANSWERS = 3;
/** Refusals of one block by a node that has given others, some seconds: then it is this block, or the node. */
const MAX_REFUSALS = 8;

export const COMMITMENT = { commitment: 'confirmed' } as const;
/** One version 1 transaction fails the whole block for who does not ask for version 1. */
export const BLOCK_OPTIONS = { ...COMMITMENT, maxSupportedTransactionVersion: 1, rewards: false } as const;

export interface BlockFetcherOptions {
  readonly client: RpcClient;
  readonly history: NodeHistory;
  readonly clock: Clock;
  readonly log: Logger;
  readonly journal: Journal;
  readonly signal: AbortSignal;
}

/** Answers of some kind about one slot. */
interface Tries {
  nulls: number;
  gone: number;
  malformed: number;
  refused: number;
  /** Blocks that had been given when it was refused. */
  givenBefore: number;
}

/** Asks for blocks until it is known what becomes of them. */
export class BlockFetcher {
  readonly #options: BlockFetcherOptions;
  #encoding: 'base64' | 'json' = 'base64';
  /** Blocks given in each: what was given once is not refused for what it is. */
  readonly #given = { base64: 0, json: 0 };
  /** The block that was refused last when no other was given either, and how many had been. */
  #stuck = { slot: -1, given: 0 };

  constructor(options: BlockFetcherOptions) {
    this.#options = options;
  }

  async fetch(slot: number): Promise<FetchedBlock> {
    const { client, clock, journal, signal } = this.#options;
    const tries: Tries = { nulls: 0, gone: 0, malformed: 0, refused: 0, givenBefore: 0 };
    let bytes = 0;
    let empty = false;
    for (;;) {
      try {
        const result = await this.#getBlock(slot, (weight) => {
          bytes = weight;
        });
        if (result !== null) {
          const block = readBlock(slot, result, journal);
          if (block.transactionCount > 0) return { kind: 'block', block, bytes };
          if (empty) journal.note({ code: 'empty_block', subject: client.host, detail: { slot } });
          if (empty) return { kind: 'block', block, bytes };
          empty = true;
        } else {
          tries.nulls += 1;
          if (tries.nulls >= MAX_NULL_ANSWERS) return lost('the node has no answer for it');
        }
      } catch (error) {
        const found = await this.#judge(slot, error, tries);
        if (found !== undefined) return found;
      }
      await clock.sleep(POLL_MS, signal);
    }
  }

  /** As `getBlock` answers, in the first encoding that the node gives. */
  async #getBlock(slot: number, weigh: (bytes: number) => void): Promise<unknown> {
    const { client, log, signal } = this.#options;
    for (;;) {
      // Others that are under way may find out meanwhile what the node gives.
      const encoding = this.#encoding;
      try {
        const options = { ...BLOCK_OPTIONS, encoding, transactionDetails: 'full' };
        const result = await client.call('getBlock', [slot, options], signal, weigh);
        if (result !== null) this.#given[encoding] += 1;
        return result;
      } catch (error) {
        if (encoding === 'json' || this.#given.base64 > 0 || !isRefusal(error)) throw error;
        if (this.#encoding === encoding) {
          log.warn({ err: String(error) }, 'the node refuses blocks in base64; asking for json');
        }
        this.#encoding = 'json';
      }
    }
  }

  /** Outcome for the slot after a failed try; undefined when it is tried again. Throws errors that say nothing about one block. */
  async #judge(slot: number, error: unknown, tries: Tries): Promise<FetchedBlock | undefined> {
    if (error instanceof MalformedWire || error instanceof RpcAnswerTooLarge) {
      tries.malformed += 1;
      if (tries.malformed < MAX_MALFORMED_ANSWERS) return undefined;
      return lost(`the node's answer is no block: ${error.message}`);
    }
    if (isFinal(error)) return this.#judgeRefusal(slot, error, tries);
    if (!(error instanceof RpcError)) throw error;
    if (isSkipped(error)) return { kind: 'none' };
    if (!isGone(error)) return lost(error.message);
    tries.gone += 1;
    const oldest = tries.gone === 1 ? await this.#options.history.start(slot) : 0;
    if (oldest > slot) return lost(prunedReason(oldest));
    return tries.gone < MAX_GONE_ANSWERS ? undefined : lost(error.message);
  }

  #judgeRefusal(slot: number, error: RpcError | RpcHttpError, tries: Tries): FetchedBlock | undefined {
    const blocks = this.#given.base64 + this.#given.json;
    tries.refused += 1;
    // Blocks that were under way come in a moment later.
    if (tries.refused <= 2) tries.givenBefore = blocks;
    // A node that never gave a block is set up wrongly. One that did may be one of several, or have a bad moment.
    if (blocks === 0) throw explained(error);
    if (tries.refused < MAX_REFUSALS) return undefined;
    const isOnlyThis = blocks > tries.givenBefore || (this.#stuck.slot === slot && blocks > this.#stuck.given);
    if (isOnlyThis) return lost(explained(error).message);
    this.#stuck = { slot, given: blocks };
    throw explained(error);
  }
}

function readBlock(slot: number, json: unknown, journal: Journal): Block {
  const block = readRpcBlock(slot, json, journal);
  const { previousBlockhash } = json as { readonly previousBlockhash?: unknown };
  if (typeof previousBlockhash !== 'string') throw new MalformedWire('a block without the hash of its parent');
  if (block.parentSlot >= slot && slot > 0) throw new MalformedWire('a block before its parent');
  return block;
}

function lost(reason: string): FetchedBlock {
  return { kind: 'lost', reason };
}
