import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { describe, expect, it } from 'vitest';
import { encodeBase58 } from '../chain/keys/base58.ts';
import { createSimulator } from './simulator.ts';

describe('encodeGeyserBlock', () => {
  const simulator = createSimulator({ seed: 'geyser', sign: false });
  const blocks = Array.from({ length: 60 }, () => simulator.next());

  it('is read by the official client without loss: encoding what it read gives the same bytes', () => {
    for (const block of blocks) {
      const bytes = block.geyser();
      const again = SubscribeUpdate.encode(SubscribeUpdate.decode(bytes)).finish();
      // The client writes fields in its own order, so that only sorted bytes compare.
      expect(again.length).toBe(bytes.length);
      expect(Buffer.from(again).sort().equals(Buffer.from(bytes).sort())).toBe(true);
    }
  });

  it('tells the official client the same block as the JSON encoding', () => {
    for (const block of blocks) {
      const { block: read } = SubscribeUpdate.decode(block.geyser());
      const json = block.rpc('json') as {
        blockhash: string;
        parentSlot: number;
        transactions: { meta: { fee: number; logMessages: string[] }; transaction: { signatures: string[] } }[];
      };
      expect(read?.blockhash).toBe(json.blockhash);
      expect(Number(read?.parentSlot)).toBe(json.parentSlot);
      expect(read?.transactions.map(({ signature }) => encodeBase58(signature))).toEqual(
        json.transactions.map(({ transaction }) => transaction.signatures[0]),
      );
      expect(read?.transactions.map(({ meta }) => [Number(meta?.fee), meta?.logMessages])).toEqual(
        json.transactions.map(({ meta }) => [meta.fee, meta.logMessages]),
      );
    }
  });
});
