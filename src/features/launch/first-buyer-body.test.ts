import { describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { booksOfScript, type LaunchShape } from '../../../test/support/launch-books.ts';
import {
  CREATED_INDEX,
  CREATED_SLOT,
  CREATOR,
  LAUNCH_MINT,
  type LaunchTransaction,
  landed,
  leg,
  signatureOf,
  USDC,
} from '../../../test/support/launch-script.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import { encodeSignature } from '../../chain/keys/base58.ts';
import { listFirstBuyers } from './contract.ts';

const ANN = address(31);
const BEN = address(32);
const DEV = landed(0, CREATED_INDEX, leg(CREATOR));

const sigOf = (transaction: LaunchTransaction) => encodeSignature(signatureOf(transaction));

async function buyersOf(script: readonly LaunchTransaction[], shape?: LaunchShape, limit = 50) {
  const body = JSON.parse(String(await booksOfScript(script, shape).firstBuyers(LAUNCH_MINT, limit)));
  expect(answerFaults(listFirstBuyers, body)).toEqual([]);
  // Without the creation, others may have been first.
  expect(body.partial).toBe(shape?.creation === false ? true : undefined);
  return body.data;
}

describe('the first buyers', () => {
  it('are told by their first buy and where they stand now', async () => {
    const first = landed(0, 41, leg(ANN));
    const script = [
      landed(2, 7, leg(ANN, { isBuy: false, tokens: 4_000_000_000_000n, quote: 200_000_000n })),
      ...[DEV, first, landed(1, 3, leg(address(39), { isActor: true })), landed(1, 5, leg(BEN))],
      landed(1, 7, leg(ANN, { quote: 500_000_000n })),
    ];
    const buyers = await buyersOf(script);
    expect(buyers.map(({ wallet, rank, is_dev }: Record<string, unknown>) => [wallet, rank, is_dev])).toEqual([
      [CREATOR, 1, true],
      [ANN, 2, false],
      [BEN, 3, false],
    ]);
    expect(buyers[1]).toEqual({
      ...{ wallet: ANN, rank: 2, slot: CREATED_SLOT, slots_after_creation: 0, block_index: 41, sig: sigOf(first) },
      ...{ time: '2026-09-21T14:13:20Z', sol_amount: '300000000', token_amount: '10000000000000', price: '0.00000003' },
      ...{ is_dev: false, bundled: true, tokens_bought: '20000000000000', tokens_sold: '4000000000000' },
      ...{ token_balance: '16000000000000', sold_pct: 20, holding_state: 'holding' },
      ...{ sol_invested: '800000000', sol_received: '200000000', realized_pnl: '40000000' },
      ...{ last_trade_at: '2026-09-21T14:13:20Z', trade_count: 3 },
    });
    expect(await buyersOf(script, {}, 2)).toHaveLength(2);
  });

  it('are closed when they sold all, and have no cost in several coins', async () => {
    const sale = leg(ANN, { isBuy: false });
    const [closed] = await buyersOf([landed(0, 41, leg(ANN)), landed(1, 3, sale)]);
    expect(closed).toMatchObject({ holding_state: 'closed', sold_pct: 100, token_balance: '0' });
    const [mixed] = await buyersOf([landed(0, 41, leg(ANN)), landed(1, 3, leg(ANN, { quoteMint: USDC }))]);
    expect(mixed).toMatchObject({ tokens_bought: '20000000000000', trade_count: 2 });
    for (const field of ['sol_invested', 'sol_received', 'realized_pnl']) expect(mixed).not.toHaveProperty(field);
  });

  it('leave out what a creation that nobody saw would tell', async () => {
    const [buyer] = await buyersOf([landed(0, 41, leg(ANN))], { creation: false });
    for (const field of ['is_dev', 'slots_after_creation']) expect(buyer).not.toHaveProperty(field);
  });
});
