import { ownCpuS } from '../ingest/cpu-time.ts';

/** Message of a client's process when it has read everything. */
export interface Reading {
  readonly cpuMsPerBlock: number;
  /** From the process's start, loading and warming up included. */
  readonly wholeCpuS: number;
  /** Transactions that are no votes, of the blocks measured: both clients must see the same. */
  readonly transactions: number;
}

/** Counts processor time of all threads from the `warmUp`th block on to the last one. */
export class MeasuredReading {
  private readonly warmUp: number;
  private readonly blocks: number;
  private seen = 0;
  private transactions = 0;
  private cpuBefore = 0;

  constructor(warmUp: number, blocks: number) {
    this.warmUp = warmUp;
    this.blocks = blocks;
  }

  /** One more block was read; true once it was the last one, and the result is sent. */
  read(transactions: number): boolean {
    this.seen += 1;
    if (this.seen > this.warmUp) this.transactions += transactions;
    if (this.seen === this.warmUp) this.cpuBefore = ownCpuS();
    if (this.seen < this.warmUp + this.blocks) return false;
    const wholeCpuS = ownCpuS();
    const reading: Reading = {
      cpuMsPerBlock: ((wholeCpuS - this.cpuBefore) * 1_000) / this.blocks,
      wholeCpuS,
      transactions: this.transactions,
    };
    process.send?.(reading);
    return true;
  }
}
