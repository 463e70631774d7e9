import { createRequire } from 'node:module';
import { readGeyserBlock } from '../src/chain/geyser/geyser-protobuf.ts';
import { readRpcTransaction } from '../src/chain/rpc/rpc-json.ts';
import { deriveFacts } from '../src/facts/derive.ts';
import { silentJournal } from '../src/kernel/journal.ts';
import { type Comparison, compare, type PeerTrade } from './decode/compare.ts';
import { decodeInputs } from './decode/inputs.ts';
import type { BenchmarkOptions, Figures } from './run/benchmark.ts';
import { median, medianRatio, rounded } from './run/statistics.ts';

/** Required times the peer's rate, both given the same parsed objects. */
const BAR = 15;
/** Required times the peer's rate on ready objects, ours from Yellowstone bytes. */
const BAR_GEYSER = 60;
const ROUNDS = { whole: 21, short: 1 };
/** Passes over all transactions in one round: enough to outlast the clock's grain, little enough to interleave. */
const PEER_PASSES = 2;
const OUR_PASSES = 40;
const OUR_GEYSER_PASSES = 120;

interface PeerParser {
  parseAll(transaction: object): { trades: PeerTrade[] };
}

/**
 * Transactions per second from what a node sends to what happened: ours against
 * solana-dex-parser's `parseAll`, on the same parsed `getTransaction` objects;
 * and ours from the bytes of a Yellowstone update with the same transactions
 * (encoding is not timed) against the peer on its ready objects. Rounds of the
 * three are interleaved in one process, and the median ratio counts. Ours gives
 * every fact: swaps with their budgets, tips and routers, attempts, transfers,
 * fundings, economics. Where the peer's trades differ from the balances that
 * the chain settled, a table says so.
 */
export async function run({ short }: BenchmarkOptions): Promise<Figures> {
  const rounds = short ? ROUNDS.short : ROUNDS.whole;
  const { DexParser } = createRequire(import.meta.url)('solana-dex-parser') as { DexParser: new () => PeerParser };
  const parser = new DexParser();
  const { kind, transactions, geyser, rewritten } = decodeInputs();
  const objects = transactions.map(({ json }) => json);
  const contenders = {
    peer: () => {
      for (const json of objects) parser.parseAll(json);
    },
    ours: () => {
      for (const json of objects) deriveFacts(readRpcTransaction(json, silentJournal), silentJournal);
    },
    geyser: () => {
      deriveFacts(readGeyserBlock(geyser, silentJournal), silentJournal);
    },
  };
  const passes = { peer: PEER_PASSES, ours: OUR_PASSES, geyser: OUR_GEYSER_PASSES };
  const rates = { peer: [] as number[], ours: [] as number[], geyser: [] as number[] };
  for (let round = 0; round <= rounds; round++) {
    for (const name of ['peer', 'ours', 'geyser'] as const) {
      const rate = perSecond(contenders[name], passes[name], objects.length);
      // The first round warms up.
      if (round > 0) rates[name].push(rate);
    }
  }
  const comparison = compare(transactions, (json) => parser.parseAll(json).trades);
  print(comparison);
  if (comparison.ours.length > 0)
    throw new Error(`${comparison.ours.length} of our figures differ from settled balances`);
  if (comparison.trades === 0) throw new Error('no transaction has a trade');
  return {
    bench: 'decode',
    ratio: ratioOf(rates.ours, rates.peer),
    bar: BAR,
    ratio_geyser: ratioOf(rates.geyser, rates.peer),
    bar_geyser: BAR_GEYSER,
    tx_per_second_ours: Math.round(median(rates.ours)),
    tx_per_second_ours_geyser: Math.round(median(rates.geyser)),
    tx_per_second_peer: Math.round(median(rates.peer)),
    transactions: objects.length,
    transactions_kind: kind,
    transactions_rewritten_from_base64: rewritten,
    bytes_geyser: geyser.length,
    trades: comparison.trades,
    differences: comparison.peer.length,
    differences_ours: comparison.ours.length,
    rounds,
  };
}

function perSecond(pass: () => void, passes: number, transactions: number): number {
  const start = performance.now();
  for (let i = 0; i < passes; i++) pass();
  return (passes * transactions * 1_000) / (performance.now() - start);
}

function print({ peer, ours, trades }: Comparison): void {
  console.log(`Where the peer says otherwise than the settled balances (${trades} trades):`);
  console.table(peer.map(({ name, what, peer: told, settled }) => ({ transaction: name, what, peer: told, settled })));
  if (ours.length > 0) {
    console.log('Where we do:');
    console.table(ours);
  }
}

function ratioOf(ours: readonly number[], peer: readonly number[]): number {
  return rounded(medianRatio(ours, peer), 1);
}
