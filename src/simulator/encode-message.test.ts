import { getCompiledTransactionMessageDecoder, getTransactionDecoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { extent } from '../../test/support/extent.ts';
import { createSimulator } from './simulator.ts';

interface Shown {
  readonly version: 'legacy' | 0 | 1;
  readonly transaction: readonly [string, string];
}

/** Longest transactions the runtime takes, in bytes. */
const MAX_BYTES = { legacy: 1_232, 0: 1_232, 1: 4_096 };

describe('encodeTransaction', () => {
  it('is read by an independent decoder as the version it is, within the size the runtime takes', () => {
    const simulator = createSimulator({ seed: 'messages', sign: false });
    const seen = new Map<Shown['version'], number>();
    for (let count = 0; count < extent(60, 150); count++) {
      for (const { transaction, version } of (simulator.next().rpc('base64') as { transactions: Shown[] })
        .transactions) {
        const bytes = Buffer.from(transaction[0], 'base64');
        const { messageBytes } = getTransactionDecoder().decode(bytes);
        expect(getCompiledTransactionMessageDecoder().decode(messageBytes).version).toBe(version);
        expect(bytes.length).toBeLessThanOrEqual(MAX_BYTES[version]);
        seen.set(version, (seen.get(version) ?? 0) + 1);
      }
    }
    for (const version of ['legacy', 0, 1] as const) expect(seen.get(version)).toBeGreaterThan(extent(20, 50));
  });
});
