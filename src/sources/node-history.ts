import type { Clock } from '../kernel/clock.ts';
import { isLastWord, isRefusal } from './node-words.ts';
import { RpcAnswerTooLarge } from './rpc-errors.ts';

/** Nodes asked for their oldest block before a slot counts as gone. */
const MAX_HISTORY_ANSWERS = 3;
/** Milliseconds that such an answer holds: history is cut off at its old end all the time. */
const HISTORY_MS = 60_000;

export interface NodeHistoryOptions {
  readonly clock: Clock;
  /** Asks one of the nodes for its oldest slot; undefined when it says something else. */
  readonly ask: () => Promise<number | undefined>;
}

/** Finds the oldest slot that the nodes behind one address have. */
export class NodeHistory {
  readonly #options: NodeHistoryOptions;
  /** The answer of the node with the most history, for a while. */
  #known = { oldest: Number.POSITIVE_INFINITY, until: 0 };

  constructor(options: NodeHistoryOptions) {
    this.#options = options;
  }

  /** The oldest slot that one of them has, as far as they tell; 0 when they do not. */
  async start(wanted: number): Promise<number> {
    const { clock } = this.#options;
    if (clock.elapsed() >= this.#known.until) this.#known = { oldest: Number.POSITIVE_INFINITY, until: 0 };
    for (let answers = 0; answers < MAX_HISTORY_ANSWERS && this.#known.oldest > wanted; answers += 1) {
      const oldest = await this.#ask();
      this.#known = { oldest: Math.min(this.#known.oldest, oldest), until: clock.elapsed() + HISTORY_MS };
    }
    return this.#known.oldest;
  }

  async #ask(): Promise<number> {
    try {
      return (await this.#options.ask()) ?? 0;
    } catch (error) {
      // A node without an answer to this may have the blocks all the same.
      if (isRefusal(error) || isLastWord(error) || error instanceof RpcAnswerTooLarge) return 0;
      throw error;
    }
  }
}

export function prunedReason(oldest: number): string {
  return `the node's history begins at slot ${oldest}`;
}
