/** The rules that are a matter of choice. Plain data, as it crosses threads. */
export interface FactRules {
  /** Transfers to a wallet that exists are told from so many lamports on. */
  readonly notableFundingLamports: bigint;
}

/** 0.1 SOL. */
export const DEFAULT_FACT_RULES: FactRules = { notableFundingLamports: 100_000_000n };
