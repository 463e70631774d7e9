/**
 * Takes oddities in the data. Decoders and derivations never throw for odd data and never log: they note it here, so
 * that production can count, sample and alarm, and a test can fail on the first note.
 */
export interface Journal {
  note(oddity: Oddity): void;
}

/** One oddity. `code` is stable and becomes a metric label; `detail` is for people. */
export interface Oddity {
  readonly code: OddityCode;
  /** Name of the program, table or reader it concerns. */
  readonly subject: string;
  readonly detail?: Readonly<Record<string, string | number>>;
}

export type OddityCode =
  | 'unknown_event'
  | 'unknown_instruction'
  | 'event_too_short'
  | 'event_tail'
  | 'event_count_mismatch'
  | 'malformed_transaction'
  /** A node gave a transaction of a block more than once. */
  | 'repeated_transaction'
  /** A node's blocks that do not follow the block that is held before them, told apart by its host. */
  | 'unlinked_block'
  /** A node holds to such a block: either it or the one that is held is not of the chain. */
  | 'doubtful_block'
  /** A block without any transaction, asked for twice. */
  | 'empty_block'
  /** Rows of a node's list of validators that cannot be read. */
  | 'malformed_validator'
  | 'missing_pool_mints'
  | 'value_out_of_range'
  /** Positions that cannot be folded again: retention dropped swaps of their mint. */
  | 'swaps_not_kept';

/** Drops every note. For benchmarks and callers that count elsewhere. */
export const silentJournal: Journal = { note() {} };

/** Throws on the first note: what tests over known data use. */
export const failingJournal: Journal = {
  note(oddity) {
    throw new Error(`${oddity.code} in ${oddity.subject}: ${JSON.stringify(oddity.detail ?? {})}`);
  },
};
