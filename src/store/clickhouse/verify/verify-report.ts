export interface VerifyReport {
  /** Rows compared, by table. */
  readonly checked: Readonly<Record<string, number>>;
  /** Slots that a fact is stored twice of; `mismatches` names some. */
  readonly doubledSlots: number;
  /** Differences, at most {@link MAX_MISMATCHES} of each table. Empty is the proof. */
  readonly mismatches: readonly Mismatch[];
}

export interface Mismatch {
  readonly table: string;
  /** The row in question, addresses in base58. */
  readonly row: Readonly<Record<string, string>>;
  /** The difference between the facts and the table, in words. */
  readonly problem: string;
}

export const MAX_MISMATCHES = 20;
