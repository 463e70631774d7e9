import type { Config } from '../config.ts';
import type { FactRules } from '../facts/fact-rules.ts';

/** The rules of deriving that a setting may change. */
export function factRules({ notableFundingLamports }: Config): FactRules {
  return { notableFundingLamports: BigInt(notableFundingLamports) };
}
