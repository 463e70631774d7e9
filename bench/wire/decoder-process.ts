import { readBlockFile } from '../../src/sources/block-file.ts';
import { ownCpuS } from '../ingest/cpu-time.ts';
import { DECODERS, type DecoderName } from './decoders.ts';

/** Processor milliseconds a block of one decoder, one value a round. */
export type DecoderTimes = readonly number[];

const BLOCKS = 8;
/** Times a block is decoded in a row: bytes are in the processor's cache, as they are when they come from a socket. */
const PASSES: Readonly<Record<DecoderName, number>> = { official: 4, walk: 40, read: 20 };

/** One decoder in a process of its own: nobody pays for what another one left behind. */
const [name, path, rounds] = process.argv.slice(2) as [DecoderName, string, string];
const decode = DECODERS[name];
if (decode === undefined || rounds === undefined) throw new Error('usage: decoder-process <decoder> <file> <rounds>');
const blocks: Uint8Array[] = [];
for await (const block of readBlockFile(path)) if (blocks.push(block) > BLOCKS) blocks.shift();

const times: number[] = [];
let sum = 0;
for (let round = 0; round <= Number(rounds); round += 1) {
  const before = ownCpuS();
  for (const block of blocks) for (let pass = 0; pass < PASSES[name]; pass += 1) sum += decode(block);
  // The first round warms up.
  if (round > 0) times.push(((ownCpuS() - before) * 1_000) / PASSES[name] / blocks.length);
}
if (sum === 0) throw new Error('nothing was decoded');
process.send?.(times satisfies DecoderTimes);
process.disconnect();
