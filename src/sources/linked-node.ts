import type { Clock } from '../kernel/clock.ts';
import { type FetchedBlock, POLL_MS } from './block-fetcher.ts';
import type { BlockLinks, ChainLinks, LinkConflict } from './chain-links.ts';
import type { RpcNode } from './rpc-node.ts';

/** Answers about one block that does not follow what is held, before it counts as a hole. */
const MAX_LINK_ANSWERS = 3;

export interface LinkedNodeOptions {
  readonly node: RpcNode;
  readonly links: ChainLinks;
  readonly clock: Clock;
  readonly signal: AbortSignal;
}

/** Asks a node again for what contradicts the blocks that are held. */
export class LinkedNode {
  readonly #options: LinkedNodeOptions;

  constructor(options: LinkedNodeOptions) {
    this.#options = options;
  }

  /** Asks the node again while its block does not follow what is held; gives the block up when none does. */
  async settle(slot: number, first: FetchedBlock): Promise<FetchedBlock> {
    const { node, links } = this.#options;
    const answers = new LinkAnswers();
    for (let fetched = first; ; fetched = await node.fetchBlock(slot)) {
      const conflict = fetched.kind === 'block' ? await links.conflict(fetched.block) : undefined;
      if (fetched.kind !== 'block' || conflict === undefined) return fetched;
      if (await this.#isLastAnswer(answers, fetched.block, conflict)) {
        const held = answers.agree ? ', and the node holds to it: both are in doubt' : '';
        return { kind: 'lost', reason: `${conflict.reason}${held}` };
      }
    }
  }

  /** The parent's slot as the node tells it, where nothing that is held contradicts it; undefined when it cannot be had. */
  async findParent(slot: number): Promise<number | undefined> {
    const { node, links } = this.#options;
    const answers = new LinkAnswers();
    for (;;) {
      const found = await node.findLinks(slot);
      const conflict = found && (await links.conflictOfAny(found));
      if (found === undefined || conflict === undefined) return found?.parentSlot;
      if (await this.#isLastAnswer(answers, found, conflict)) return undefined;
    }
  }

  /** Notes an answer that does not follow what is held. When it is the last one, whom to doubt; else waits for the next. */
  async #isLastAnswer(answers: LinkAnswers, block: BlockLinks, conflict: LinkConflict): Promise<boolean> {
    const { node, clock, signal } = this.#options;
    answers.add(block);
    node.unlinked(block.slot, conflict);
    if (answers.count < MAX_LINK_ANSWERS) {
      await clock.sleep(POLL_MS, signal);
      signal.throwIfAborted();
      return false;
    }
    if (answers.agree) node.doubtful(block.slot, conflict);
    return true;
  }
}

/** Answers of a node about the block of one slot. */
class LinkAnswers {
  count = 0;
  private readonly different = new Set<string>();

  get agree(): boolean {
    return this.different.size === 1;
  }

  add({ blockhash, parentSlot, parentBlockhash }: BlockLinks): void {
    this.count += 1;
    this.different.add([blockhash, parentSlot, parentBlockhash].join());
  }
}
