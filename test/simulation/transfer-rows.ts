import { expect } from 'vitest';
import { encodeSignature } from '../../src/chain/keys/base58.ts';
import type { Transfer } from '../../src/facts/fact.ts';

export function isoTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}

/** The row of 2.16 from the fact alone, but for `amount_token`. */
export function expectedRow(fact: Transfer) {
  return {
    time: isoTime(fact.time),
    slot: fact.slot,
    block_index: fact.blockIndex,
    sig: encodeSignature(fact.signature),
    ix_index: fact.ixIndex,
    mint: fact.mint,
    from: fact.from,
    to: fact.to,
    amount: String(fact.amount),
    decimals: fact.decimals,
    ambiguous: fact.ambiguous,
  };
}

/** Rows without `amount_token`, which is held to be `amount` in whole tokens. */
export function withoutTokens(rows: readonly unknown[]) {
  return rows.map((row) => {
    const { amount_token, ...rest } = row as { amount_token: number; amount: string; decimals: number };
    expect(Math.abs(amount_token * 10 ** rest.decimals - Number(rest.amount))).toBeLessThanOrEqual(
      Number(rest.amount) * 1e-12,
    );
    return rest;
  });
}
