import { describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import { booksOfScript, type LaunchShape } from '../../../test/support/launch-books.ts';
import {
  CREATED_INDEX,
  CREATED_SLOT,
  CREATOR,
  creationRow,
  LAUNCH_MINT,
  type LaunchTransaction,
  landed,
  leg,
  reverted,
  rowsOf,
  signatureOf,
  USDC,
} from '../../../test/support/launch-script.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import { encodeSignature } from '../../chain/keys/base58.ts';
import type { HydratedTokenRow } from '../../store/clickhouse/schema/background-tables.ts';
import { swapJson } from '../../token/row-json.ts';
import { getLaunch, getLaunchRace } from './contract.ts';
import { BOARD_SIZE } from './contract-limits.ts';
import { MAX_RACE_ROWS } from './launch-reads.ts';
import { raceBody, unknownRaceBody } from './race-body.ts';
import { runRace } from './race-rules.ts';
import { raceSection } from './race-section.ts';

const ANN = address(31);
const BEN = address(32);
const JUPITER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as typeof ANN;
const DEV = landed(0, CREATED_INDEX, leg(CREATOR));

const sigOf = (transaction: LaunchTransaction) => encodeSignature(signatureOf(transaction));

async function launchOf(script: readonly LaunchTransaction[], shape?: LaunchShape, limit = 150) {
  const body = JSON.parse(String(await booksOfScript(script, shape).launch(LAUNCH_MINT, limit)));
  expect(answerFaults(getLaunch, body)).toEqual([]);
  return body;
}

async function raceOf(script: readonly LaunchTransaction[], shape?: LaunchShape) {
  const body = JSON.parse(String(await booksOfScript(script, shape).race(LAUNCH_MINT, 30)));
  expect(answerFaults(getLaunchRace, body)).toEqual([]);
  return body;
}

describe('the answer about a launch', () => {
  const script = [DEV, landed(0, 41, leg(ANN)), landed(0, 43, leg(BEN))];

  it('is written as the contract says, its swaps as in /swaps', async () => {
    const rows = rowsOf(script).swaps.map((row) => JSON.parse(swapJson(row, CREATOR)));
    expect(await launchOf(script)).toEqual({
      mint: LAUNCH_MINT,
      creator: CREATOR,
      bundled_pct_supply: 2,
      dev_bundle_pct_supply: 2,
      bundle_count: 1,
      bundles: [
        {
          ...{ slot: CREATED_SLOT, start_index: CREATED_INDEX, size: 2, is_bundle: true, has_dev: true },
          evidence: 'adjacent',
          ...{ wallets: [CREATOR, ANN], sol_total: '600000000', tokens_bought: '20000000000000', pct_supply: 2 },
          swaps: rows.slice(0, 2),
        },
        {
          ...{ slot: CREATED_SLOT, start_index: 43, size: 1, is_bundle: false, has_dev: false },
          ...{ wallets: [BEN], sol_total: '300000000', tokens_bought: '10000000000000', pct_supply: 1 },
          swaps: rows.slice(2),
        },
      ],
    });
  });

  it('looks at as many swaps as are asked for', async () => {
    const { bundles } = await launchOf(script, {}, 1);
    expect(bundles).toMatchObject([{ size: 1, is_bundle: true, wallets: [CREATOR] }]);
  });

  it('takes shares of two billion in mayhem mode', async () => {
    expect(await launchOf(script, { mayhem: true })).toMatchObject({ bundled_pct_supply: 1 });
  });

  it('leaves out what a creation that nobody saw would tell', async () => {
    const body = await launchOf(script, { creation: false });
    expect(body).toMatchObject({ bundle_count: 1, partial: true });
    for (const field of ['creator', 'bundled_pct_supply', 'dev_bundle_pct_supply'])
      expect(body).not.toHaveProperty(field);
    for (const field of ['has_dev', 'pct_supply']) expect(body.bundles[0]).not.toHaveProperty(field);
  });

  it('leaves out whether transactions without their block have neighbours', async () => {
    const body = await launchOf(script.map((each) => ({ ...each, partial: true })));
    expect(body.partial).toBe(true);
    for (const field of ['bundle_count', 'bundled_pct_supply', 'dev_bundle_pct_supply'])
      expect(body).not.toHaveProperty(field);
    for (const bundle of body.bundles) {
      expect(bundle.partial).toBe(true);
      expect(bundle).not.toHaveProperty('is_bundle');
    }
  });
});

describe('the answer about a race', () => {
  it('is written as the contract says', async () => {
    const won = landed(0, 41, leg(ANN), { tip: 1_500_000n, cuPrice: 2_500_000n, router: JUPITER });
    const aborted = reverted(...([1, 5, { wallet: BEN, outcome: 'self_abort', why: 'Custom' }] as const), {
      tip: 9n,
      program: address(81),
      router: address(41),
      networkFee: 5_500n,
      budgetSource: 2,
    });
    const { headline, ...body } = await raceOf([DEV, won, aborted]);
    expect(headline).toContain('3 attempts, 2 landed');
    expect(body).toEqual({
      ...{
        mint: LAUNCH_MINT,
        symbol: 'LNCH',
        created_slot: CREATED_SLOT,
        created_block_index: CREATED_INDEX,
        slots: 30,
      },
      ...{ attempts: 3, landed: 2, contenders: 2, winner: ANN, winner_cu_price: '2500000', winner_bid_known: true },
      ...{ self_aborts: 1, unknown_outcome: 0, bundle_size: 2 },
      by_slot: [
        {
          slots_after_creation: 0,
          attempts: 2,
          landed: 2,
          wallets: 2,
          median_tip: '750000',
          median_tip_declared: '750000',
        },
        { slots_after_creation: 1, attempts: 1, landed: 0, wallets: 1, median_tip: '0', median_tip_declared: '9' },
      ],
      board: [
        {
          ...{ wallet: CREATOR, slots_after_creation: 0, block_index: CREATED_INDEX, outcome: 'dev_buy', dev: true },
          ...{ cu_price: '1000', cu_limit: '100000', priority_fee: '100', tip: '0', fee: '3000000' },
          ...{ price: '0.00000003', sol: 0.3, bundled: true, sig: sigOf(DEV) },
        },
        {
          ...{ wallet: ANN, slots_after_creation: 0, block_index: 41, outcome: 'won', first_outside: true },
          ...{ cu_price: '2500000', cu_limit: '100000', priority_fee: '250000', tip: '1500000', provider: 'Jito' },
          ...{ fee: '3000000', price: '0.00000003', sol: 0.3, bundled: true },
          ...{ program: JUPITER, program_name: 'Jupiter', sig: sigOf(won) },
        },
        {
          ...{ wallet: BEN, slots_after_creation: 1, block_index: 5, outcome: 'self_abort', why: 'Custom' },
          ...{ cu_price: '0', cu_limit: '0', priority_fee: '777', budget_source: 2, tip: '9', provider: 'Jito' },
          ...{ fee: '5500', bundled: false, program: address(81), sig: sigOf(aborted) },
        },
      ],
    });
  });

  it('has quote units, and no SOL, of what was paid in another coin', async () => {
    const { board } = await raceOf([
      landed(0, 41, leg(ANN, { quoteMint: USDC, quote: 7_000_000n, fee: 70_000n })),
      landed(0, 43, leg(BEN, { quoteMint: address(77), quote: 5n, fee: 1n })),
    ]);
    expect(board[0]).toMatchObject({
      ...{
        quote_mint: USDC,
        quote_amount: '7000000',
        quote_symbol: 'USDC',
        quote_decimals: 6,
        fee: '70000',
        price: '0',
      },
    });
    expect(board[0]).not.toHaveProperty('sol');
    expect(board[1]).toMatchObject({ quote_mint: address(77), quote_amount: '5' });
    expect(board[1]).not.toHaveProperty('quote_decimals');
    expect(board[1]).not.toHaveProperty('quote_symbol');
  });

  it('has the fee in the same units on the AMM', async () => {
    const { board } = await raceOf([
      landed(0, 41, leg(ANN, { venue: 1, quoteMint: USDC, quote: 7_000_000n, fee: 70_000n })),
    ]);
    expect(board[0]).toMatchObject({ quote_mint: USDC, quote_amount: '7000000', fee: '70000' });
  });

  it('names the router of an attempt that a venue turned down, and nothing for a direct one', async () => {
    const { board, losing_cu_price_max } = await raceOf([
      reverted(0, 41, { wallet: ANN }, { program: address(81), router: address(41) }),
      reverted(0, 43, { wallet: ANN }, { program: address(81) }),
    ]);
    expect(board[0].program).toBe(address(41));
    expect(board[1]).not.toHaveProperty('program');
    expect(losing_cu_price_max).toBe('1000');
  });

  it('tells who led the slot of each attempt, where that is known', async () => {
    const rows = rowsOf([landed(0, 41, leg(ANN)), reverted(1, 1, { wallet: BEN }), landed(2, 3, leg(BEN))]);
    const race = runRace({ creation: creationRow, ...rows, slots: 30, whole: true });
    const named = { name: 'North', client: 'Jito', relay_flag: true, stake: '1' };
    const leaders = [
      { identity: ANN, ...named },
      { identity: BEN, ...named, name: undefined },
    ];
    const leaderOf = (slot: number) => leaders[slot - CREATED_SLOT];
    const body = JSON.parse(String(raceBody({ mint: LAUNCH_MINT, creation: creationRow, slots: 30, leaderOf }, race)));
    expect(answerFaults(getLaunchRace, body)).toEqual([]);
    expect(body.board[0]).toMatchObject({ leader: ANN, leader_name: 'North', leader_client: 'Jito' });
    expect(body.board[1]).toMatchObject({ leader: BEN, leader_client: 'Jito' });
    expect(body.board[1]).not.toHaveProperty('leader_name');
    for (const field of ['leader', 'leader_name', 'leader_client']) expect(body.board[2]).not.toHaveProperty(field);
  });

  it('has no winner, and no losing bid, where there is none', async () => {
    const body = await raceOf([DEV]);
    expect(body).toMatchObject({ winner_cu_price: '0', winner_bid_known: true });
    expect(body).not.toHaveProperty('winner');
    expect(body).not.toHaveProperty('losing_cu_price_max');
  });

  it('tells that there is nothing to tell while nobody saw the creation', async () => {
    expect(await raceOf([DEV], { creation: false })).toEqual({
      ...{ mint: LAUNCH_MINT, slots: 30, winner_cu_price: '0', winner_bid_known: false, by_slot: [], board: [] },
      ...{ headline: expect.stringContaining('not seen'), partial: true },
    });
    const hydrated = { named: true, symbol: 'LNCH' } as HydratedTokenRow;
    const told = JSON.parse(String(unknownRaceBody({ mint: LAUNCH_MINT, hydrated }, 30)));
    expect(told).toMatchObject({ symbol: 'LNCH', board: [], partial: true });
  });

  it('says which attempts came without their block', async () => {
    const body = await raceOf([landed(0, 41, leg(ANN), { partial: true })]);
    expect(body).toMatchObject({ partial: true, board: [{ partial: true }] });
    expect(body.board[0]).not.toHaveProperty('bundled');
    expect(body).not.toHaveProperty('bundle_size');
    const later = await raceOf([DEV, landed(2, 41, leg(ANN), { partial: true })]);
    expect(later).toMatchObject({ attempts: 2, landed: 2 });
    expect(later.by_slot).toMatchObject([{ landed: 1 }, { landed: 1, partial: true }]);
    expect(later.by_slot[0]).not.toHaveProperty('partial');
    expect(later).not.toHaveProperty('bundle_size');
  });

  it('claims no count of nothing where the slots were not seen whole', () => {
    const ofNothing = { swaps: [], attempts: [], slots: 30 };
    const cut = runRace({ creation: { ...creationRow, partial: true }, ...ofNothing, whole: true });
    const body = JSON.parse(String(raceBody({ mint: LAUNCH_MINT, creation: creationRow, slots: 30 }, cut)));
    expect(answerFaults(getLaunchRace, body)).toEqual([]);
    expect(body).toMatchObject({ created_slot: CREATED_SLOT, winner_bid_known: false, partial: true });
    for (const field of ['attempts', 'landed', 'contenders', 'self_aborts', 'unknown_outcome', 'bundle_size'])
      expect(body).not.toHaveProperty(field);
    const seen = runRace({ creation: creationRow, ...ofNothing, whole: true });
    expect(JSON.parse(String(raceBody({ mint: LAUNCH_MINT, creation: creationRow, slots: 30 }, seen)))).toMatchObject({
      ...{ attempts: 0, landed: 0, contenders: 0, self_aborts: 0, unknown_outcome: 0, bundle_size: 0 },
      winner_bid_known: true,
    });
  });

  it('shows the first attempts and always the winner, and counts all', async () => {
    const crowd = Array.from({ length: BOARD_SIZE + 20 }, (_, place) => reverted(0, 50 + place, { wallet: BEN }));
    const late = await raceOf([...crowd, landed(3, 1, leg(ANN))]);
    expect(late).toMatchObject({ attempts: BOARD_SIZE + 21, board_omitted: 21, winner: ANN });
    expect(late.board).toHaveLength(BOARD_SIZE);
    expect(late.board.at(-1)).toMatchObject({ wallet: ANN, first_outside: true });
    const early = await raceOf([landed(0, 41, leg(ANN)), ...crowd.slice(1)]);
    expect(early.board.at(-1)).toMatchObject({ outcome: 'rejected', block_index: 50 + BOARD_SIZE - 1 });
    expect(early.board_omitted).toBe(20);
  });

  it('says when there was more than is read', async () => {
    const [row] = rowsOf([reverted(1, 1, { wallet: ANN })]).attempts;
    const attempts = Array.from({ length: MAX_RACE_ROWS }, (_, place) => ({ ...row!, block_index: place }));
    const held = async (rows: typeof attempts) => {
      const reads = { raceSwaps: async () => [], raceAttempts: async () => rows };
      const { wholeTo, swaps, attempts } = await raceSection(reads, LAUNCH_MINT, CREATED_SLOT).load(0);
      const whole = wholeTo >= CREATED_SLOT + 29;
      const race = runRace({ creation: creationRow, swaps, attempts, slots: 30, whole });
      return JSON.parse(String(raceBody({ mint: LAUNCH_MINT, creation: creationRow, slots: 30 }, race)));
    };
    expect(await held(attempts)).toMatchObject({ attempts: MAX_RACE_ROWS, partial: true });
    expect(await held(attempts.slice(1))).not.toHaveProperty('partial');
    // The missing attempts came after the slots that are asked for.
    const late = { ...row!, slot: CREATED_SLOT + 30 };
    expect(await held([...attempts.slice(1), late])).not.toHaveProperty('partial');
  });
});
