import { createHash, createPublicKey, verify } from 'node:crypto';
import { getTransactionDecoder } from '@solana/kit';
import { describe, expect, it } from 'vitest';
import { extent } from '../../test/support/extent.ts';
import type { Address } from '../chain/address.ts';
import { addressBytes } from '../chain/keys/address-table.ts';
import { LOADS } from './load.ts';
import { createNetwork } from './network/network.ts';
import { EXCHANGE_WALLETS } from './scenery.ts';
import { createSimulator, type SimulatedBlock } from './simulator.ts';

function take(count: number, options: Parameters<typeof createSimulator>[0]): SimulatedBlock[] {
  const simulator = createSimulator(options);
  return Array.from({ length: count }, () => simulator.next());
}

function hash(blocks: readonly SimulatedBlock[]): string {
  const sum = createHash('sha256');
  for (const block of blocks) sum.update(block.geyser());
  return sum.digest('hex');
}

interface WireBlock {
  readonly transactions: readonly { readonly transaction: readonly [string, string] }[];
}

const SPKI_HEADER = Buffer.from('302a300506032b6570032100', 'hex');

function isSignedBy(signer: Address, message: Uint8Array, signature: Uint8Array): boolean {
  const key = createPublicKey({
    key: Buffer.concat([SPKI_HEADER, addressBytes(signer)]),
    format: 'der',
    type: 'spki',
  });
  return verify(null, message, key, signature);
}

/** To sign one takes a while. */
const SIGNED_BLOCKS = extent(4, 12);

describe('createSimulator', () => {
  it('makes the same bytes from the same seed, and others from another', () => {
    const first = hash(take(SIGNED_BLOCKS, { seed: 11 }));
    expect(hash(take(SIGNED_BLOCKS, { seed: 11 }))).toBe(first);
    expect(hash(take(SIGNED_BLOCKS, { seed: 12 }))).not.toBe(first);
  });

  it('signs every message for real, in every version, but for the wallets of real exchanges', () => {
    const foreign: ReadonlySet<string> = new Set(EXCHANGE_WALLETS);
    const decoder = getTransactionDecoder();
    let checked = 0;
    // Of the network's seed are its validators, whichever the chain's is.
    const network = createNetwork({ seed: 'signers' });
    const signed = take(5, { seed: 'signatures@1', network, load: { ...LOADS.desk, votes: 60 } });
    for (const block of [...take(extent(15, 60), { seed: 'signatures' }), ...signed]) {
      for (const { transaction } of (block.rpc('base64') as WireBlock).transactions) {
        const { messageBytes, signatures } = decoder.decode(Buffer.from(transaction[0], 'base64'));
        for (const [signer, signature] of Object.entries(signatures)) {
          if (foreign.has(signer)) continue;
          expect(isSignedBy(signer as Address, new Uint8Array(messageBytes), signature!)).toBe(true);
          checked++;
        }
      }
    }
    expect(checked).toBeGreaterThan(extent(125, 500));
  });

  it('keeps block time in whole seconds, skips slots now and then, and names the right parent', () => {
    const blocks = take(extent(120, 300), { seed: 'slots', sign: false, startSlot: 1_000, startTime: 5_000 });
    let parent = 999;
    let skipped = 0;
    for (const { rpc, slot } of blocks) {
      const { blockTime, parentSlot } = rpc() as { blockTime: number; parentSlot: number };
      expect(parentSlot).toBe(parent);
      expect(blockTime).toBe(5_000 + Math.floor((slot - 1_000) / 5));
      skipped += slot - parent - 1;
      parent = slot;
    }
    expect(skipped).toBeGreaterThan(0);
    expect(skipped).toBeLessThan(20);
  });

  it('makes something to look at from the first slot on', () => {
    const [first] = take(1, { seed: 'start', sign: false });
    expect(first!.truth.facts('wire').created.length).toBeGreaterThan(0);
  });
});
