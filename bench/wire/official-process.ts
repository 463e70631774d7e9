import { createRequire } from 'node:module';
import type yellowstone from '@triton-one/yellowstone-grpc';
import { CommitmentLevel, SubscribeRequest, type SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import { MeasuredReading } from './measured-reading.ts';

// Its default export hides behind another one for whoever imports it as a module.
const { default: Client } = createRequire(import.meta.url)('@triton-one/yellowstone-grpc') as typeof yellowstone;

/** The official client as its documentation uses it: updates come as objects, nothing else is done with them. */
const [url, warmUp, blocks] = process.argv.slice(2);
if (url === undefined) throw new Error('usage: official-process <url> <warm-up blocks> <blocks>');
const reading = new MeasuredReading(Number(warmUp), Number(blocks));
const client = new Client(url, undefined, { grpcMaxDecodingMessageSize: 256 * 1024 * 1024 });
await client.connect();
const stream = await client.subscribe();
stream.write(
  SubscribeRequest.fromPartial({
    blocks: { bench: { accountInclude: [], includeTransactions: true } },
    commitment: CommitmentLevel.CONFIRMED,
  }),
);
for await (const update of stream) {
  const { block } = update as SubscribeUpdate;
  if (block !== undefined && reading.read(block.transactions.filter(({ isVote }) => !isVote).length)) break;
}
process.disconnect();
process.exit(0);
