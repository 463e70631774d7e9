import { SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { readGeyserBlock } from '../../src/chain/geyser/geyser-protobuf.ts';
import { silentJournal } from '../../src/kernel/journal.ts';
import { readBlock } from './read-block.ts';

/** Each gives a figure of the block, so that nothing of the work can be left out. */
export const DECODERS = {
  /** The official client's codec. */
  official: (bytes: Uint8Array) => SubscribeUpdate.decode(bytes).block?.transactions.length ?? 0,
  /** Our walker: finds where the parts of each transaction lie. */
  walk: (bytes: Uint8Array) => readGeyserBlock(bytes, silentJournal).transactions.length,
  /** Our walker, and everything read that facts need. */
  read: (bytes: Uint8Array) => readBlock(readGeyserBlock(bytes, silentJournal)),
} as const;

export type DecoderName = keyof typeof DECODERS;
