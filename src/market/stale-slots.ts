import type { SlotSpan } from '../feed/feed.ts';

/** Spans held before the nearest two are taken for one: whatever lies between them is read again as well. */
const MAX_SPANS = 1_000;

/** Slots whose rows have to be read again: spans that do not touch, in order. */
export class StaleSlots {
  #spans: SlotSpan[] = [];

  get size(): number {
    return this.#spans.length;
  }

  /** The newest of them; undefined without any. */
  get last(): number | undefined {
    return this.#spans.at(-1)?.last;
  }

  add({ first, last }: SlotSpan): void {
    const apart = this.#spans.filter((span) => span.last + 1 < first || span.first > last + 1);
    const touching = this.#spans.filter((span) => span.last + 1 >= first && span.first <= last + 1);
    const all = [...touching, { first, last }];
    const merged = {
      first: Math.min(...all.map((span) => span.first)),
      last: Math.max(...all.map((span) => span.last)),
    };
    this.#spans = [...apart, merged].sort((a, b) => a.first - b.first);
    if (this.#spans.length > MAX_SPANS) this.#mergeNearest();
  }

  some(meets: (span: SlotSpan) => boolean): boolean {
    return this.#spans.some(meets);
  }

  /** Takes out the first span that may be read, of so many slots at most. What is beyond them stays. */
  take(mayRead: (span: SlotSpan) => boolean, slots: number): SlotSpan | undefined {
    const at = this.#spans.findIndex(mayRead);
    const span = this.#spans[at];
    if (span === undefined) return undefined;
    const last = Math.min(span.last, span.first + slots - 1);
    this.#spans.splice(at, 1, ...(last < span.last ? [{ first: last + 1, last: span.last }] : []));
    return { first: span.first, last };
  }

  #mergeNearest(): void {
    let nearest = 1;
    for (let at = 2; at < this.#spans.length; at += 1) {
      if (this.#gapBefore(at) < this.#gapBefore(nearest)) nearest = at;
    }
    const [before, behind] = [this.#spans[nearest - 1]!, this.#spans[nearest]!];
    this.#spans.splice(nearest - 1, 2, { first: before.first, last: behind.last });
  }

  #gapBefore(at: number): number {
    return this.#spans[at]!.first - this.#spans[at - 1]!.last;
  }
}
