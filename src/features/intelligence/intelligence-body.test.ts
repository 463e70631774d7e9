import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { answerFaults } from '../../../test/support/answer-schema.ts';
import {
  CREATED_SLOT,
  DEV,
  flow,
  intelligenceRows,
  launchBuy,
  MINT,
  move,
  NOW,
  position,
  SUPPLY,
  swap,
} from '../../../test/support/intelligence-rows.ts';
import { address } from '../../../test/support/token-world-rows.ts';
import type { PositionSums } from '../holders/position-reads.ts';
import { getIntelligence } from './contract.ts';
import type { Intelligence } from './contract-shapes.ts';
import { type IntelligenceFrame, intelligenceBody } from './intelligence-body.ts';
import { analyseIntelligence, type IntelligenceRows } from './intelligence-rules.ts';

const WALLETS = [DEV, ...[21, 22, 23, 24, 25, 26].map(address)];
const SUMS = { buy_sol: 5n, sell_sol: 4n, buyers: 3, sellers: 2 } as PositionSums;

const amount = fc.bigInt({ min: 0n, max: SUPPLY / 4n });
const wallet = fc.constantFrom(...WALLETS);

/** Tokens of every kind: whole histories and not, with nodes and without, reconciled and not. */
const tokens = fc.record({
  positions: fc.uniqueArray(
    fc
      .tuple(wallet, amount, amount, fc.constantFrom('' as const, address(31)))
      .map(([who, bought, sold, quote]) => position(who, bought, sold, { quote_mint: quote })),
    { selector: ({ trader, quote_mint }) => `${trader} ${quote_mint}` },
  ),
  flows: fc.uniqueArray(
    fc
      .tuple(wallet, amount, amount, amount)
      .map(([who, received, sent, burnt]) => flow(who, { received, sent, burnt })),
    { selector: (each) => each.wallet },
  ),
  launchSwaps: fc.array(
    fc.tuple(wallet, fc.nat(6), fc.nat(20)).map(([who, slot, index]) => launchBuy(who, CREATED_SLOT + slot, index)),
  ),
  bundled: fc.array(wallet).map((list) => new Set(list)),
  swaps: fc.array(
    fc.tuple(wallet, amount, fc.boolean()).map(([who, some, is_buy]) => swap(who, 2_000, some, { is_buy })),
  ),
  moves: fc.array(
    fc
      .tuple(wallet, amount, fc.constantFrom('' as const, ...WALLETS))
      .map(([who, some, to]) => move(who, 2_001, some, to)),
  ),
  isWhole: fc.boolean(),
  onchain: fc.option(
    fc.array(fc.tuple(wallet, amount)).map((list) => new Map(list)),
    { nil: undefined },
  ),
  isLaunchSeen: fc.boolean(),
  supply: fc.constantFrom(SUPPLY, SUPPLY, SUPPLY, undefined),
});

function rowsOf({
  positions,
  flows,
  isWhole,
  onchain,
  ...rest
}: typeof tokens extends fc.Arbitrary<infer T> ? T : never) {
  const fundings = new Map([[WALLETS[1]!, { funder: DEV, label: 'Somebody "else"', madeAt: NOW - 100 }]]);
  const clusters = [{ funder: address(60), label: undefined, isDev: false, wallets: WALLETS.slice(2, 5) }];
  const inOrder = rest.launchSwaps.toSorted((a, b) => a.slot - b.slot || a.block_index - b.block_index);
  const ownership = { positions, flows, isWhole, onchain };
  return intelligenceRows({ ...rest, launchSwaps: inOrder, fundings, clusters, ownership });
}

const FRAME: IntelligenceFrame = {
  ...{ mint: MINT, madeAt: NOW * 1_000, windowStart: NOW - 60, supported: true, partial: false },
  ...{ supplySource: 'standard_supply_estimate', sums: SUMS, tokenDecimals: 6 },
};

function read(rows: IntelligenceRows, frame = FRAME): Intelligence {
  return JSON.parse(intelligenceBody(frame, analyseIntelligence(rows)).toString());
}

/** Every field of an answer, wherever it stands, with its value. */
function* fields(value: unknown, path = ''): Generator<readonly [string, unknown]> {
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    const at = Array.isArray(value) ? `${path}[]` : `${path}.${name}`;
    yield [at, inner];
    yield* fields(inner, at);
  }
}

/** Fields that may not be told while ownership is not known: holder counts, shares, sniper holdings, holder results. */
const OF_OWNERSHIP = [
  '.pnl.total',
  '.pnl.profit',
  '.pnl.loss',
  '.pnl.flat',
  '.pnl.unknown',
  '.snipers.supply_pct',
  '.wallets[].token_balance',
  '.wallets[].supply_pct',
  '.wallets[].transferred_in',
  '.wallets[].transferred_out',
  '.wallets[].avg_cost',
  '.wallets[].realized_pnl',
  '.wallets[].unrealized_pnl',
  '.events[].supply_pct',
];

describe('the answer of intelligence', () => {
  it('is what the contract declares, field by field', () => {
    fc.assert(
      fc.property(tokens, (token) => {
        expect(answerFaults(getIntelligence, read(rowsOf(token)))).toEqual([]);
      }),
    );
  });

  it('tells nothing that depends on ownership where that is estimated or does not add up', () => {
    let hidden = 0;
    const told = new Set<string>();
    fc.assert(
      fc.property(tokens, (token) => {
        const body = read(rowsOf(token));
        const all = [...fields(body)];
        if (body.pnl.source !== 'swap_estimate' && !body.balances_unreconciled) {
          for (const [path] of all) told.add(path);
          return;
        }
        hidden += 1;
        for (const [path, value] of all) {
          expect(OF_OWNERSHIP).not.toContain(path);
          if (path.endsWith('pnl_status') || path.endsWith('holding_state'))
            expect([path, value]).toEqual([path, 'unknown']);
          if (path.endsWith('roles[]')) expect(['whale', 'airdropped']).not.toContain(value);
        }
        if (body.snipers !== undefined) {
          expect(body.snipers).toMatchObject({ holding: 0, closed: 0, unknown: body.snipers.total });
        }
        expect(body.pattern).not.toBe('dev_heavy');
      }),
      { seed: 11, numRuns: 400 },
    );
    expect(hidden).toBeGreaterThan(50);
    // Elsewhere every one of these is told, so that the rule hides something.
    for (const path of OF_OWNERSHIP) expect(told).toContain(path);
  });

  it('counts every sniper and every holder once', () => {
    fc.assert(
      fc.property(tokens, (token) => {
        const { pnl, snipers, wallets } = read(rowsOf(token));
        if (snipers !== undefined) expect(snipers.holding + snipers.closed + snipers.unknown).toBe(snipers.total);
        if (pnl.total === undefined) return;
        expect(pnl.profit! + pnl.loss! + pnl.flat! + pnl.unknown!).toBe(pnl.total);
        expect(wallets.filter(({ token_balance }) => BigInt(token_balance!) > 0n)).toHaveLength(pnl.total);
      }),
    );
  });

  it('balances every wallet out of what it says of it, unless the chain says otherwise', () => {
    fc.assert(
      fc.property(tokens, (token) => {
        const { pnl, wallets } = read(rowsOf(token));
        if (pnl.source !== 'indexed_transfers') return;
        for (const row of wallets) {
          if (row.token_balance === undefined) continue;
          const sum =
            BigInt(row.tokens_bought) -
            BigInt(row.tokens_sold) +
            BigInt(row.transferred_in!) -
            BigInt(row.transferred_out!);
          expect(row.token_balance).toBe(String(sum));
        }
      }),
    );
  });

  it('leaves out what is not known', () => {
    const rows = intelligenceRows({ isLaunchSeen: false, supply: undefined });
    const frame = { ...FRAME, windowStart: 0, supported: false, partial: true, supplySource: undefined };
    expect(read(rows, frame)).toEqual({
      mint: MINT,
      updated_at: new Date(NOW * 1_000).toISOString(),
      ...{ supported: false, partial: true, pnl: { source: 'swap_estimate' }, wallets: [], events: [] },
      ...{ buy_sol: '5', sell_sol: '4', buyers: 3, sellers: 2, pattern: 'insufficient_data' },
      ...{ untraced_supply_pct: 0, balances_unreconciled: false },
    });
  });
});
