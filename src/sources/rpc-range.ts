import { createChainReader, type RangeStep } from './chain-reader.ts';
import { createRpcNode, type RpcNodeTools } from './rpc-node.ts';

export type { RangeStep } from './chain-reader.ts';

/** Slots of one list of blocks. Nodes refuse more than 500,000, and some of their proxies much less. */
const WINDOW_SLOTS = 500;

/**
 * The confirmed blocks of a range of slots, both ends included, in slot order,
 * and what became of every other slot of it. Nothing is left out unsaid: the
 * steps are the range, slot by slot, once.
 *
 * Ends quietly when the signal aborts. Throws what asking again does not mend:
 * a node that refuses us, or refuses version 1 transactions.
 */
export async function* readRpcRange(
  tools: RpcNodeTools,
  { first, last }: { readonly first: number; readonly last: number },
  signal: AbortSignal,
): AsyncGenerator<RangeStep> {
  const done = new AbortController();
  const stop = AbortSignal.any([signal, done.signal]);
  const node = createRpcNode(tools, stop);
  try {
    const reader = createChainReader({ ...tools, node }, stop, first);
    yield* reader.passPruned(last);
    // Slots past the head are not asked for: nodes differ in what they say of slots to come.
    const end = Math.min(last, await node.head());
    for (let from = reader.next; from <= end && !signal.aborted; from += WINDOW_SLOTS) {
      yield* reader.read(from, Math.min(end, from + WINDOW_SLOTS - 1));
    }
    yield* reader.close(last);
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    // Whoever stops asking for steps leaves fetches behind.
    done.abort();
  }
}
