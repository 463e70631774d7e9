import { describe, expect, it } from 'vitest';
import { extent } from '../../test/support/extent.ts';
import { storedBuy } from '../../test/support/intelligence-rows.ts';
import { address } from '../../test/support/token-world-rows.ts';
import type { Block, Transaction } from '../chain/block.ts';
import { readGeyserBlock } from '../chain/geyser/geyser-protobuf.ts';
import { ED25519_PROGRAM, SECP256K1_PROGRAM, SECP256R1_PROGRAM, SYSTEM_PROGRAM } from '../chain/well-known.ts';
import { deriveFacts } from '../facts/derive.ts';
import type { BlockFacts } from '../facts/fact.ts';
import { failingJournal } from '../kernel/journal.ts';
import { TIP_PROVIDERS } from '../programs/registry/index.ts';
import { createSimulator } from '../simulator/simulator.ts';
import { toRowBatch } from '../store/clickhouse/schema/fact-rows.ts';
import { type SlotSums, sumsBySlot, sumsOf } from './slot-sums.ts';

const TIP_ACCOUNTS = new Set(TIP_PROVIDERS.flatMap(({ accounts }) => accounts.map((account) => account.address)));
const PRECOMPILES = new Set([ED25519_PROGRAM, SECP256K1_PROGRAM, SECP256R1_PROGRAM]);
const TRANSFER = 2;

/** Lamports that a transaction's System transfers bring to tip accounts, read off its instructions. */
function tipsIn({ instructions, keys }: Transaction): bigint {
  let sum = 0n;
  for (const { data, accounts, programIndex } of instructions) {
    if (keys.at(programIndex) !== SYSTEM_PROGRAM || data.length < 12) continue;
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    if (view.getUint32(0, true) !== TRANSFER) continue;
    if (TIP_ACCOUNTS.has(keys.at(accounts[1]!))) sum += view.getBigUint64(4, true);
  }
  return sum;
}

function priorityFeeOf({ fee, signatureCount, instructions, keys }: Transaction): bigint {
  const checked = instructions.filter(
    ({ depth, programIndex }) => depth === 1 && PRECOMPILES.has(keys.at(programIndex)),
  );
  const signatures = checked.reduce((sum, { data }) => sum + (data[0] ?? 0), signatureCount);
  return fee - 5_000n * BigInt(signatures);
}

/** What the transactions of a block paid that the simulation knows to have swapped: out of the block, not of rows. */
function sumsOfBlock(block: Block, { swaps }: BlockFacts): SlotSums {
  const traded = new Set(swaps.map(({ blockIndex }) => blockIndex));
  const transactions = block.transactions.filter(({ index }) => traded.has(index));
  const inSol = swaps.filter(({ quoteMint }) => quoteMint === undefined);
  const total = (amounts: readonly bigint[]) => amounts.reduce((sum, each) => sum + each, 0n);
  return {
    swaps: swaps.length,
    unmeasured: 0,
    priorityFees: total(transactions.map(priorityFeeOf)),
    tips: total(transactions.map(tipsIn)),
    fees: total(inSol.filter(({ feeInToken }) => !feeInToken).map(({ fee }) => fee)),
    vol: total(inSol.map(({ quoteAmount }) => quoteAmount)),
  };
}

describe('what a slot paid', () => {
  it('is what transactions with a swap paid in the block itself', () => {
    const simulator = createSimulator({ seed: 'slot sums', sign: false });
    const seen = { priorityFees: 0n, tips: 0n, otherQuotes: 0, severalSwaps: 0 };
    for (let at = 0; at < extent(40, 400); at += 1) {
      const simulated = simulator.next();
      const block = readGeyserBlock(simulated.geyser(), failingJournal);
      const truth = simulated.truth.facts('wire');
      const told = sumsBySlot(toRowBatch(deriveFacts(block, failingJournal), []));
      expect([...told.keys()]).toEqual([block.slot]);
      const sums = told.get(block.slot)!;
      expect(sums).toEqual(sumsOfBlock(block, truth));
      seen.priorityFees += sums.priorityFees;
      seen.tips += sums.tips;
      seen.otherQuotes += truth.swaps.filter(({ quoteMint }) => quoteMint !== undefined).length;
      seen.severalSwaps += sums.swaps - new Set(truth.swaps.map(({ blockIndex }) => blockIndex)).size;
    }
    expect(Object.values(seen).every((each) => each > 0)).toBe(true);
  });

  it('counts a transaction once, whichever of its rows comes first, and never less than nothing', () => {
    const row = (block_index: number, ix_index: number, more: object) =>
      storedBuy(address(ix_index + 1), address(9), { block_index, ix_index, ...more });
    const swaps = [
      row(4, 2, { network_fee: 0n, signatures: 2, tip: 70n, fee: 3n }),
      row(4, 1, { network_fee: 12_000n, signatures: 2, tip: 70n, fee: 4n }),
      row(5, 1, { network_fee: 5_000n, signatures: 3, fee: 100n, fee_in_token: true }),
      row(6, 1, { network_fee: 9_000n, signatures: 1, quote_mint: address(40), fee: 1_000n }),
      row(7, 1, { network_fee: 6_000n, signatures: 0 }),
    ];
    const expected = { swaps: 5, unmeasured: 1, priorityFees: 7_000n, tips: 70n, fees: 7n, vol: 40n };
    expect(sumsOf(swaps)).toEqual(expected);
    expect(sumsOf(swaps.toReversed())).toEqual(expected);
    expect(sumsOf([])).toMatchObject({ swaps: 0, vol: 0n });
  });
});
