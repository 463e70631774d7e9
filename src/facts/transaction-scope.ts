import type { Address } from '../chain/address.ts';
import type { Block, ComputeBudget, Transaction } from '../chain/block.ts';
import { chargedSignatures, readComputeBudget } from '../chain/compute-budget.ts';
import type { FactBase } from './fact.ts';
import { type LamportTransfer, lamportTransfers } from './lamport-transfers.ts';
import { type OwnerDelta, ownerDeltas } from './owner-deltas.ts';
import { summariseTips, type TipSummary } from './tips.ts';

/** AMM and equity rows carry no budget (rule 2.5.4): their zeros mean "not measured". */
export const UNMEASURED_BUDGET: ComputeBudget = { cuPrice: 0n, cuLimit: 0, priorityFee: 0n, source: 0 };

/** As many as a row counts; nobody signs for as much. */
const MAX_SIGNATURES = 255;

/** One transaction with what several derivations need of it, computed once and only when asked for. */
export class TransactionScope {
  readonly transaction: Transaction;
  readonly slot: number;
  readonly blockIndex: number;
  /** Unix seconds; 0 when unknown. */
  readonly time: number;
  readonly lamportTransfers: readonly LamportTransfer[];
  readonly tips: TipSummary;
  #deltas: readonly OwnerDelta[] | undefined;
  #budget: ComputeBudget | undefined;
  #signatures: number | undefined;
  #feeGiven = false;

  /** `time` in Unix seconds, 0 when unknown. */
  constructor(block: Block, transaction: Transaction, time: number) {
    this.transaction = transaction;
    this.slot = block.slot;
    this.blockIndex = transaction.index;
    this.time = time;
    this.lamportTransfers = lamportTransfers(transaction);
    this.tips = summariseTips(transaction, this.lamportTransfers);
  }

  /** Asked for by facts alone: most transactions have none, and need neither copy nor text. */
  get signature(): Uint8Array {
    return this.transaction.signature;
  }

  get feePayer(): Address {
    return this.transaction.keys.at(0);
  }

  /** Balance deltas by (owner, mint). */
  get deltas(): readonly OwnerDelta[] {
    this.#deltas ??= ownerDeltas(this.transaction);
    return this.#deltas;
  }

  get budget(): ComputeBudget {
    this.#budget ??= readComputeBudget(this.transaction);
    return this.#budget;
  }

  /** The transaction's fee for its first row, 0 for every later one. */
  takeNetworkFee(): bigint {
    if (this.#feeGiven) return 0n;
    this.#feeGiven = true;
    return this.transaction.fee;
  }

  /** Signatures that the fee is for, those that precompiles checked included. */
  get signatures(): number {
    this.#signatures ??= Math.min(chargedSignatures(this.transaction), MAX_SIGNATURES);
    return this.#signatures;
  }

  hasSigned(address: Address): boolean {
    const index = this.transaction.keys.indexOf(address);
    return index >= 0 && index < this.transaction.signerCount;
  }

  /**
   * Fields that every fact of this transaction starts with. Facts that come by the thousand name these fields
   * themselves: spreading an object costs far more.
   */
  base(ixIndex: number): FactBase {
    const { slot, blockIndex, time, signature } = this;
    return { slot, blockIndex, ixIndex, time, signature };
  }
}
