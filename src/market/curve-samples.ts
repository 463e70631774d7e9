/** What a slot left on a curve. Amounts are raw tokens. */
export interface CurveState {
  readonly slot: number;
  /** Unix seconds. */
  readonly time: number;
  /** On the curve before the first of its swaps, and behind the last one. */
  readonly before: bigint;
  readonly left: bigint;
}

/** The place of no sample. */
export const NONE = -1;
/** Of the columns below. */
export const SAMPLE_BYTES = 28;
/** Samples of a page: a table grows by pages, because copying a large one would hold up everything. */
const PAGE_BITS = 12;
const PAGE_SAMPLES = 1 << PAGE_BITS;
const IN_PAGE = PAGE_SAMPLES - 1;

interface Page {
  readonly slots: Uint32Array;
  readonly times: Uint32Array;
  /** Place of the one before it on the same curve; of a free one, of the next free one. */
  readonly older: Int32Array;
  readonly before: BigUint64Array;
  readonly left: BigUint64Array;
}

/** Samples of all curves in flat columns. Each leads to the one before it on its curve. */
export class CurveSamples {
  readonly #pages: Page[] = [];
  #free = NONE;
  #held = 0;

  get held(): number {
    return this.#held;
  }

  get bytes(): number {
    return this.#pages.length * PAGE_SAMPLES * SAMPLE_BYTES;
  }

  /** Adds a sample behind another one of its curve, or the first of it. */
  add({ slot, time, before, left }: CurveState, older: number): number {
    if (this.#free === NONE) this.#makePage();
    const place = this.#free;
    const page = this.#page(place);
    const at = place & IN_PAGE;
    this.#free = page.older[at]!;
    page.slots[at] = slot;
    page.times[at] = time;
    page.before[at] = before;
    page.left[at] = left;
    page.older[at] = older;
    this.#held += 1;
    return place;
  }

  /** Gives a sample up. */
  release(place: number): void {
    this.#page(place).older[place & IN_PAGE] = this.#free;
    this.#free = place;
    this.#held -= 1;
  }

  /** Gives up all that stand before a sample. */
  releaseOlder(place: number): void {
    for (let at = this.older(place); at !== NONE; ) {
      const next = this.older(at);
      this.release(at);
      at = next;
    }
    this.#page(place).older[place & IN_PAGE] = NONE;
  }

  slot(place: number): number {
    return this.#page(place).slots[place & IN_PAGE]!;
  }

  time(place: number): number {
    return this.#page(place).times[place & IN_PAGE]!;
  }

  before(place: number): bigint {
    return this.#page(place).before[place & IN_PAGE]!;
  }

  left(place: number): bigint {
    return this.#page(place).left[place & IN_PAGE]!;
  }

  older(place: number): number {
    return this.#page(place).older[place & IN_PAGE]!;
  }

  #page(place: number): Page {
    return this.#pages[place >> PAGE_BITS]!;
  }

  #makePage(): void {
    const first = this.#pages.length * PAGE_SAMPLES;
    const older = new Int32Array(PAGE_SAMPLES);
    for (let at = 0; at < PAGE_SAMPLES; at += 1) older[at] = at === IN_PAGE ? NONE : first + at + 1;
    this.#pages.push({
      slots: new Uint32Array(PAGE_SAMPLES),
      times: new Uint32Array(PAGE_SAMPLES),
      older,
      before: new BigUint64Array(PAGE_SAMPLES),
      left: new BigUint64Array(PAGE_SAMPLES),
    });
    this.#free = first;
  }
}
