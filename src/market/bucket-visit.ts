import type { CellVisitor, TradeBucket } from './trade-bucket.ts';

/** Goes through the cells of a packed bucket in pieces: nothing may be added to it in between. */
export class BucketVisit {
  readonly bucket: TradeBucket;
  #done = 0;

  constructor(bucket: TradeBucket) {
    bucket.pack();
    this.bucket = bucket;
  }

  get isDone(): boolean {
    return this.#done === this.bucket.size;
  }

  /** Shows the next cells, and returns how many there were. */
  next(most: number, visitor: CellVisitor): number {
    const from = this.#done;
    this.#done = Math.min(from + most, this.bucket.size);
    this.bucket.visit(visitor, from, this.#done);
    return this.#done - from;
  }
}
