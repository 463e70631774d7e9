import { createRequire } from 'node:module';
import type yellowstone from '@triton-one/yellowstone-grpc';
import { CommitmentLevel, SubscribeRequest, SubscribeUpdate } from '@triton-one/yellowstone-grpc';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { extent } from '../../test/support/extent.ts';
import { type GeyserServer, startGeyserServer } from '../../test/support/geyser-server.ts';
import type { Block, Transaction } from '../chain/block.ts';
import { readGeyserBlock } from '../chain/geyser/geyser-protobuf.ts';
import { encodeBase58 } from '../chain/keys/base58.ts';
import { systemClock } from '../kernel/clock.ts';
import { failingJournal } from '../kernel/journal.ts';
import { silentLogger } from '../kernel/log.ts';
import { LOADS } from '../simulator/load.ts';
import { createSimulator } from '../simulator/simulator.ts';
import { confirmedBlocks } from './source.ts';
import { createYellowstoneSource } from './yellowstone.ts';
import { encodePing, encodeSubscribeRequest } from './yellowstone-request.ts';

// Its default export hides behind another one for whoever imports it as a module.
const { default: Client } = createRequire(import.meta.url)('@triton-one/yellowstone-grpc') as typeof yellowstone;

type TheirBlock = NonNullable<SubscribeUpdate['block']>;
type TheirInfo = TheirBlock['transactions'][number];
type TheirMeta = NonNullable<TheirInfo['meta']>;

const servers: GeyserServer[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A block in plain words, to compare what both sides read. */
function ours(block: Block): object {
  const { slot, parentSlot, blockhash, parentBlockhash, blockTime, transactionCount, voteCount } = block;
  return {
    head: { slot, parentSlot, blockhash, parentBlockhash, blockTime, transactionCount, voteCount },
    transactions: block.transactions.map(ourTransaction),
  };
}

function ourTransaction(transaction: Transaction): object {
  const { index, signature, keys, instructions, logs, tokenBalances } = transaction;
  return {
    index: String(index),
    signature: hex(signature),
    fee: String(transaction.fee),
    failed: transaction.error !== null,
    keys: Array.from({ length: keys.length }, (_, at) => keys.at(at)),
    calls: instructions.map(({ depth, programIndex, accounts, data }) => ({
      depth,
      programIndex,
      accounts: Array.from(accounts),
      data: hex(data),
    })),
    pre: Array.from(transaction.preBalances, String),
    post: Array.from(transaction.postBalances, String),
    logs: Array.from({ length: logs.length }, (_, at) => logs.at(at)),
    tokens: sortedTokens(
      tokenBalances.map(({ accountIndex, mint, decimals, pre, post }) => ({
        accountIndex,
        mint,
        decimals,
        pre: String(pre),
        post: String(post),
      })),
    ),
  };
}

function theirs(block: TheirBlock): object {
  const transactions = block.transactions.filter(({ isVote }) => !isVote);
  return {
    head: {
      slot: Number(block.slot),
      parentSlot: Number(block.parentSlot),
      blockhash: block.blockhash,
      parentBlockhash: block.parentBlockhash,
      blockTime: Number(block.blockTime?.timestamp),
      transactionCount: Number(block.executedTransactionCount),
      voteCount: block.transactions.length - transactions.length,
    },
    transactions: transactions.map(theirTransaction),
  };
}

function theirTransaction({ index, signature, transaction, meta }: TheirInfo): object {
  const message = transaction!.message!;
  const keys = [...message.accountKeys, ...meta!.loadedWritableAddresses, ...meta!.loadedReadonlyAddresses];
  return {
    index,
    signature: hex(signature),
    fee: meta!.fee,
    failed: meta!.err !== undefined,
    keys: keys.map((key) => encodeBase58(key)),
    calls: message.instructions.flatMap((outer, at) => [
      { ...theirCall(outer), depth: 1 },
      ...meta!.innerInstructions
        .filter((group) => group.index === at)
        .flatMap((group) => group.instructions.map((inner) => ({ ...theirCall(inner), depth: inner.stackHeight }))),
    ]),
    pre: meta!.preBalances,
    post: meta!.postBalances,
    logs: meta!.logMessages,
    tokens: theirTokens(meta!),
  };
}

function theirCall(call: { programIdIndex: number; accounts: Uint8Array; data: Uint8Array }): object {
  return { programIndex: call.programIdIndex, accounts: Array.from(call.accounts), data: hex(call.data) };
}

/** Theirs are two lists, before and after; ours is one with both. */
function theirTokens({ preTokenBalances, postTokenBalances }: TheirMeta): object[] {
  const amounts = (list: TheirMeta['preTokenBalances'], accountIndex: number) =>
    list.find((each) => each.accountIndex === accountIndex)?.uiTokenAmount?.amount ?? '0';
  const accounts = new Map([...preTokenBalances, ...postTokenBalances].map((each) => [each.accountIndex, each]));
  return sortedTokens(
    [...accounts.values()].map(({ accountIndex, mint, uiTokenAmount }) => ({
      accountIndex,
      mint,
      decimals: uiTokenAmount!.decimals,
      pre: amounts(preTokenBalances, accountIndex),
      post: amounts(postTokenBalances, accountIndex),
    })),
  );
}

function sortedTokens<T extends { accountIndex: number }>(tokens: readonly T[]): T[] {
  return [...tokens].sort((a, b) => a.accountIndex - b.accountIndex);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

describe('what we send', () => {
  it('is read by the official codec as a subscription to whole blocks and every status', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('confirmed' as const, 'processed' as const),
        fc.option(fc.maxSafeNat(), { nil: undefined }),
        (commitment, fromSlot) => {
          const request = SubscribeRequest.decode(encodeSubscribeRequest({ commitment, fromSlot }));
          expect(request).toEqual(
            SubscribeRequest.fromPartial({
              // No filter on votes or failures: whole blocks have them all.
              blocks: {
                mintscope: {
                  accountInclude: [],
                  includeTransactions: true,
                  includeAccounts: false,
                  includeEntries: false,
                },
              },
              slots: { mintscope: { filterByCommitment: false, interslotUpdates: true } },
              commitment: commitment === 'confirmed' ? CommitmentLevel.CONFIRMED : CommitmentLevel.PROCESSED,
              ...(fromSlot === undefined ? {} : { fromSlot: String(fromSlot) }),
            }),
          );
        },
      ),
    );
    expect(SubscribeRequest.decode(encodePing(7))).toEqual(SubscribeRequest.fromPartial({ ping: { id: 7 } }));
  });
});

describe('what we read', () => {
  it('is what the official codec decodes, of any simulated block', () => {
    fc.assert(
      fc.property(fc.nat(), fc.integer({ min: 1, max: 3 }), (seed, blocks) => {
        const simulator = createSimulator({ seed, load: { ...LOADS.desk, schemes: 5 }, sign: false });
        for (let made = 0; made < blocks; made += 1) {
          const bytes = simulator.next().geyser();
          expect(ours(readGeyserBlock(bytes, failingJournal))).toEqual(theirs(SubscribeUpdate.decode(bytes).block!));
        }
      }),
      { numRuns: extent(8, 25) },
    );
  });

  it('is what the official client reads from the same server', async () => {
    const simulator = createSimulator({ seed: 'stream', sign: false });
    const updates = Array.from({ length: 20 }, () => simulator.next().geyser());
    const server = await startGeyserServer(({ send }) => {
      for (const update of updates) send(update);
    });
    servers.push(server);
    const seen = await readOurs(server.url, updates.length);
    expect(seen).toEqual(await readTheirs(server.url, updates.length));
    expect(seen).toHaveLength(updates.length);
  });
});

async function readTheirs(url: string, enough: number): Promise<object[]> {
  const client = new Client(url, undefined, undefined);
  await client.connect();
  const stream = await client.subscribe();
  stream.write(
    SubscribeRequest.fromPartial({
      blocks: { client: { accountInclude: [], includeTransactions: true } },
      commitment: CommitmentLevel.CONFIRMED,
    }),
  );
  const seen: object[] = [];
  for await (const update of stream) {
    seen.push(theirs((update as SubscribeUpdate).block!));
    if (seen.length === enough) break;
  }
  return seen;
}

async function readOurs(url: string, enough: number): Promise<object[]> {
  const controller = new AbortController();
  const source = createYellowstoneSource({
    url,
    token: undefined,
    clock: systemClock,
    log: silentLogger,
    journal: failingJournal,
  });
  const seen: object[] = [];
  for await (const block of confirmedBlocks(source, { fromSlot: undefined, signal: controller.signal })) {
    seen.push(ours(block));
    if (seen.length === enough) controller.abort();
  }
  return seen;
}
