import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { readGeyserBlock } from '../../src/chain/geyser-protobuf.ts';
import { silentJournal } from '../../src/kernel/journal.ts';
import { ownCpuS } from '../ingest/cpu-time.ts';
import { readBlock } from './read-block.ts';

const ROUNDS = 11;
/** Passes over the blocks in one round. */
const PASSES = { official: 1, walk: 8, read: 8 } as const;

type Decoder = keyof typeof PASSES;

/** Processor milliseconds a block, one value a round. */
export type DecoderTimes = Readonly<Record<Decoder, readonly number[]>>;

/**
 * The official codec's decoder; our walker, which finds where the parts of each
 * transaction lie; and our walker with everything read that facts need. Each
 * block is copied first, untimed, as it comes from a socket: no reader meets
 * bytes that have long left the processor's cache. Garbage of one contender is
 * collected before the next one's turn.
 */
export function timeDecoders(blocks: readonly Uint8Array[]): DecoderTimes {
  let sum = 0;
  const decoders: Readonly<Record<Decoder, (bytes: Uint8Array) => void>> = {
    official: (bytes) => {
      sum += SubscribeUpdate.decode(bytes).block?.transactions.length ?? 0;
    },
    walk: (bytes) => {
      sum += readGeyserBlock(bytes, silentJournal).transactions.length;
    },
    read: (bytes) => {
      sum += readBlock(readGeyserBlock(bytes, silentJournal));
    },
  };
  const times: Record<Decoder, number[]> = { official: [], walk: [], read: [] };
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of ['official', 'walk', 'read'] as const) {
      globalThis.gc?.();
      let cpuS = 0;
      for (let pass = 0; pass < PASSES[name]; pass += 1)
        for (const block of blocks) cpuS += timed(decoders[name], block);
      // The first round warms up.
      if (round > 0) times[name].push((cpuS * 1_000) / PASSES[name] / blocks.length);
    }
  }
  if (sum === 0) throw new Error('nothing was decoded');
  return times;
}

function timed(decode: (bytes: Uint8Array) => void, block: Uint8Array): number {
  const fresh = Buffer.from(block);
  const before = ownCpuS();
  decode(fresh);
  return ownCpuS() - before;
}
