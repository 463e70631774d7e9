import type { Clock } from '../kernel/clock.ts';
import type { Journal } from '../kernel/journal.ts';
import type { Logger } from '../kernel/log.ts';
import { createBackoff } from '../kernel/retry.ts';
import { POLL_MS } from './block-fetcher.ts';
import type { HeldHash } from './chain-links.ts';
import { type ChainReader, createChainReader, type RangeStep } from './chain-reader.ts';
import { createRpcClient, type RpcClient } from './json-rpc.ts';
import { isNodeTrouble } from './rpc-errors.ts';
import { createRpcNode, type RpcNode } from './rpc-node.ts';
import type { BlockSource, ChainStep, SlotLacks, SourceRun } from './source.ts';

export interface RpcSourceOptions {
  readonly url: string;
  /** The node's client, where others ask the same node; undefined makes one. */
  readonly rpc?: RpcClient | undefined;
  /**
   * Slots behind the node's head at which the source gives up what lies between
   * and goes on at the head. Undefined keeps everything, however far behind.
   */
  readonly maxLagSlots?: number | undefined;
  readonly clock: Clock;
  readonly log: Logger;
  readonly journal: Journal;
  /** Of blocks from before the first one that is read. */
  readonly heldHash?: HeldHash | undefined;
  readonly random?: () => number;
}

export interface RpcSource extends BlockSource {
  lacks(): SlotLacks;
  refusal(): string | undefined;
}

/** Slots asked for at once when behind. */
const WINDOW_SLOTS = 256;
/** Of the lag that is allowed, the part that one window may take: the lag is looked at between windows. */
const WINDOW_SHARE_OF_LAG = 4;
/** Between two tries while the node refuses what it gave before. */
const REFUSED_BASE_MS = 500;
const REFUSED_MAX_MS = 15_000;

/**
 * Confirmed blocks of a node's JSON-RPC from a slot on, in slot order. What the
 * node cannot give, and what was passed over to keep up, is logged and counted,
 * and stays a hole that parent links show.
 */
export function createRpcSource(options: RpcSourceOptions): RpcSource {
  const { clock, log, maxLagSlots } = options;
  const client = options.rpc ?? createRpcClient(options);
  let refusal: string | undefined;
  const counts = { passed: 0, unavailable: 0 };
  const windowSlots = Math.min(WINDOW_SLOTS, Math.ceil((maxLagSlots ?? Infinity) / WINDOW_SHARE_OF_LAG));

  function passOver(reader: ChainReader, head: number): void {
    const slots = head - reader.next;
    counts.passed += slots;
    log.warn(
      { from_slot: reader.next, to_slot: head - 1, slots, passed_slots: counts.passed },
      'the node is slower than the chain: these slots are passed over to stay near its head',
    );
    reader.skipTo(head);
  }

  /** The blocks of what a reader gives; what it cannot give is told of here. */
  async function* blocksOf(read: AsyncIterable<RangeStep>): AsyncGenerator<ChainStep> {
    for await (const step of read) {
      if (step.kind === 'block') yield { kind: 'block', block: step.block, confirmed: true };
      if (step.kind !== 'unavailable') continue;
      counts.unavailable += step.last - step.first + 1;
      log.warn({ from_slot: step.first, to_slot: step.last, reason: step.reason }, 'the node lacks these slots');
    }
  }

  /** Steps for as long as the node answers. */
  async function* readOn(reader: ChainReader, node: RpcNode, signal: AbortSignal): AsyncGenerator<ChainStep> {
    let from = reader.next;
    while (!signal.aborted) {
      const head = await node.head();
      if (maxLagSlots !== undefined && head - reader.next > maxLagSlots) passOver(reader, head);
      from = Math.max(from, reader.next);
      if (head < from) {
        await clock.sleep(POLL_MS, signal);
        continue;
      }
      const end = Math.min(head, from + windowSlots - 1);
      const before = reader.next;
      yield* blocksOf(reader.read(from, end));
      if (reader.next === before) yield* blocksOf(reader.passPruned(head));
      if (reader.next > before) from = reader.next;
      // Nothing at all in the window: whatever was left out of it, the next block's parent link leads back to.
      else if (end < head) from = end + 1;
      else await clock.sleep(POLL_MS, signal);
    }
  }

  /**
   * Follows the chain. A node that has given blocks and then refuses may give again: it is asked until it does, from
   * where we were.
   */
  async function* follow({ fromSlot, signal }: SourceRun): AsyncGenerator<ChainStep> {
    const node = createRpcNode({ ...options, client }, signal);
    const reader = createChainReader({ ...options, node }, signal, fromSlot ?? (await node.head()));
    const backoff = createBackoff({ baseMs: REFUSED_BASE_MS, maxMs: REFUSED_MAX_MS, ...pick(options) });
    let gaveBlock = false;
    while (!signal.aborted) {
      try {
        for await (const step of readOn(reader, node, signal)) {
          gaveBlock = true;
          refusal = undefined;
          backoff.reset();
          yield step;
        }
      } catch (error) {
        if (signal.aborted || !gaveBlock || !isNodeTrouble(error)) throw error;
        refusal = `the node gave blocks and refuses now: ${error.message}`;
        log.warn({ err: String(error), next_slot: reader.next }, 'the node refuses what it gave before; asking again');
        await clock.sleep(backoff.next(), signal);
      }
    }
  }

  return {
    name: 'rpc',
    async *steps(run) {
      try {
        yield* follow(run);
      } catch (error) {
        if (!run.signal.aborted) throw error;
      }
    },
    lacks: () => ({ ...counts }),
    refusal: () => refusal,
  };
}

function pick({ random }: RpcSourceOptions): { random?: () => number } {
  return random === undefined ? {} : { random };
}
