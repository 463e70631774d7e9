import { createUnsettledRows, type UnsettledRows } from '../../books/unsettled-rows.ts';
import type { Address } from '../../chain/address.ts';
import type { Feed } from '../../feed/feed.ts';
import type { NamedToken } from '../../search/name-table.ts';
import type { SearchIndex } from '../../search/search-index.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { applyChange, changesOf, type NameChange, type ShownNames, takeBack } from './name-changes.ts';
import type { ToldName } from './name-reads.ts';

/** What one batch changed, and how to take it back. */
interface Step {
  readonly batch: RowBatch;
  readonly changes: ReadonlyMap<Address, NameChange>;
  /** Tokens as they were before it: those that it changed. */
  readonly before: Map<Address, NamedToken | undefined>;
}

/**
 * What batches changed that lie on top of what the store told: they may be withdrawn, or the store may tell otherwise
 * beneath them. Mints that came without a name are returned: they have to be asked for.
 */
export class HeldChanges {
  readonly #feed: Feed;
  readonly #unsettled: UnsettledRows<never>;
  readonly #late = new WeakSet<RowBatch>();
  #steps: Step[] = [];

  constructor(feed: Feed) {
    this.#feed = feed;
    this.#unsettled = createUnsettledRows(feed);
    this.restart();
  }

  /** Begins anew with the batches that the store does not answer for. */
  restart(): void {
    this.#steps = this.#feed.since(this.#feed.committedSlot).map((batch) => this.#stepOf(batch));
  }

  /** Takes a batch in, and brings it into the index, when there is one. */
  add(batch: RowBatch, index: SearchIndex | undefined): readonly Address[] {
    if (this.#unsettled.isLate(batch)) this.#late.add(batch);
    const step = this.#stepOf(batch);
    this.#steps.push(step);
    return index === undefined ? [] : [...step.changes.keys()].filter((mint) => apply(index, step, mint));
  }

  /** Takes back what the batch did to the index, when there is one. */
  withdraw(batch: RowBatch, index: SearchIndex | undefined): void {
    this.#unsettled.withdrawn();
    const at = this.#steps.findLastIndex((step) => step.batch === batch);
    const [step] = at < 0 ? [] : this.#steps.splice(at, 1);
    if (index === undefined || step === undefined) return;
    for (const [mint, before] of step.before) takeBack(index, mint, before);
  }

  /** Forgets batches that the store has: they cannot be withdrawn. Not while it is read, as of a slot before them. */
  forgetStored(): void {
    const held = new Set(this.#feed.since(0));
    this.#steps = this.#steps.filter(({ batch }) => held.has(batch));
  }

  /** Brings everything into an index that has nothing of it. */
  applyAll(index: SearchIndex): readonly Address[] {
    return this.#steps.flatMap((step) => [...step.changes.keys()].filter((mint) => apply(index, step, mint)));
  }

  /** Puts what the store tells of some mints beneath everything else. */
  putBeneath(index: SearchIndex, mints: readonly Address[], told: readonly ToldName[]): void {
    const tokens = new Map<string, ToldName>(told.map((token) => [token.mint, token]));
    for (const mint of mints) {
      for (const { before } of this.#steps.toReversed()) {
        if (!before.has(mint)) continue;
        takeBack(index, mint, before.get(mint));
        before.delete(mint);
      }
      const token = tokens.get(mint);
      if (token?.isSeen === true) index.add(token);
      for (const step of this.#steps) if (step.changes.has(mint)) apply(index, step, mint, token ?? NAMELESS);
    }
  }

  #stepOf(batch: RowBatch): Step {
    return { batch, changes: changesOf(batch, this.#late.has(batch)), before: new Map() };
  }
}

/** How a token is called that nothing names. */
const NAMELESS: ShownNames = { symbol: '', name: '' };

/** True when the token came without a name. */
function apply(index: SearchIndex, { changes, before }: Step, mint: Address, named?: ShownNames): boolean {
  const applied = applyChange(index, changes.get(mint)!, named);
  if (applied === undefined) return false;
  before.set(mint, applied.before);
  return applied.isNameless;
}
