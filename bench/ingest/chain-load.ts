import { readGeyserBlock } from '../../src/chain/geyser/geyser-protobuf.ts';
import { deriveFacts } from '../../src/facts/derive.ts';
import { failingJournal } from '../../src/kernel/journal.ts';
import { PUMP_PROGRAM } from '../../src/programs/pump/ids.ts';
import { PUMP_AMM_PROGRAM } from '../../src/programs/pump-amm/ids.ts';
import { readBlockFile } from '../../src/sources/block-file.ts';

/** Load of a second of chain. */
export interface ChainLoad {
  /** Beside votes. */
  readonly transactions: number;
  /** Transactions with the launchpad or its AMM among their keys. */
  readonly touching: number;
  /** Of those. */
  readonly revertedShare: number;
  readonly transfers: number;
  readonly fundings: number;
  readonly votes: number;
  readonly megabytes: number;
}

/** Counts a file of blocks. */
export async function measureLoad(path: string, chainS: number): Promise<ChainLoad> {
  const sums = { transactions: 0, touching: 0, reverted: 0, transfers: 0, fundings: 0, votes: 0, bytes: 0 };
  for await (const bytes of readBlockFile(path)) {
    const block = readGeyserBlock(bytes, failingJournal);
    for (const { keys, error } of block.transactions) {
      if (keys.indexOf(PUMP_PROGRAM) < 0 && keys.indexOf(PUMP_AMM_PROGRAM) < 0) continue;
      sums.touching++;
      if (error !== null) sums.reverted++;
    }
    const facts = deriveFacts(block, failingJournal);
    sums.transactions += block.transactions.length;
    sums.votes += block.voteCount;
    sums.transfers += facts.transfers.length;
    sums.fundings += facts.fundings.length;
    sums.bytes += bytes.length;
  }
  return {
    transactions: Math.round(sums.transactions / chainS),
    touching: Math.round(sums.touching / chainS),
    revertedShare: Math.round((1_000 * sums.reverted) / sums.touching) / 1_000,
    transfers: Math.round(sums.transfers / chainS),
    fundings: Math.round(sums.fundings / chainS),
    votes: Math.round(sums.votes / chainS),
    megabytes: Math.round(sums.bytes / chainS / 100_000) / 10,
  };
}
