import { describe, expect, it } from 'vitest';
import { fixtureText, hasFixtures } from '../../test/support/fixtures.ts';
import {
  buildBlock,
  type CallSpec,
  rawEventCall,
  someAddress,
  venueCall,
} from '../../test/support/transaction-builder.ts';
import { type Address, WSOL_MINT } from '../chain/address.ts';
import { failingJournal } from '../kernel/journal.ts';
import { VENUES } from '../programs/venues.ts';
import { deriveFacts } from './derive.ts';
import type { BlockFacts } from './fact.ts';

interface Recorded {
  readonly mint: Address;
  readonly program_data_lines: readonly string[];
}

const DATA = 'Program data: ';

function recorded(file: string): Recorded[] {
  if (!hasFixtures) return [];
  return (JSON.parse(fixtureText(`events-2026-10/${file}`)) as { txs: Recorded[] }).txs;
}

/** Event bytes of log lines as self-CPIs; the two programs' discriminators do not overlap here. */
function events(lines: readonly string[]): CallSpec[] {
  const ofPump = new Set<string>(Object.values(VENUES.pump.events).map((layout) => layout.discriminator));
  return lines.map((line) => {
    const bytes = Uint8Array.from(Buffer.from(line.slice(DATA.length), 'base64'));
    const discriminator = Buffer.from(bytes.subarray(0, 8)).toString('hex');
    return rawEventCall(ofPump.has(discriminator) ? 'pump' : 'pump_amm', bytes);
  });
}

function derive(call: CallSpec): BlockFacts {
  return deriveFacts(buildBlock([{ signers: [someAddress()], calls: [call] }]), failingJournal);
}

/** The values of an event as they were decoded elsewhere, by file and event name. */
function decodedValues(file: string, event: string): Record<string, number & string>[] {
  if (!hasFixtures) return [];
  const all = JSON.parse(fixtureText('events-2026-10/decoded.json')) as {
    file: string;
    event: string;
    values: Record<string, number & string>;
  }[];
  return all.filter((entry) => entry.file === file && entry.event === event).map((entry) => entry.values);
}

describe.skipIf(!hasFixtures)('a buy that completes the curve', () => {
  const poolParts = decodedValues('completing_txs_20261009.json', 'PostCompleteBuyEvent');

  it.each(recorded('completing_txs_20261009.first3.json').map((one, i) => ({ ...one, i })))(
    'of $mint is a row on the curve and a row of the pool to come',
    ({ mint, program_data_lines, i }) => {
      const args = { spendableQuoteIn: 1n, minTokensOut: 1n };
      const call = venueCall('pump', 'buy_exact_quote_in_v3', args, {}, events(program_data_lines));
      const facts = derive(call);
      const [onCurve, inPool] = facts.swaps;
      expect(facts.swaps).toHaveLength(2);
      expect(onCurve).toMatchObject({ mint, venue: 0, pool: undefined, realTokenReserves: 0n, isBuy: true });
      const values = poolParts[i]!;
      expect(inPool).toMatchObject({
        mint,
        venue: 1,
        isBuy: true,
        trader: onCurve!.trader,
        quoteAmount: BigInt(values.quote_in!),
        tokenAmount: BigInt(values.base_out!),
        fee: BigInt(values.fee!),
        realQuoteReserves: BigInt(values.pool_quote_reserves_after!),
        priced: true,
      });
      // Without fees, the quote that came in is the quote that the future pool gained.
      expect(inPool!.realQuoteReserves).toBe(BigInt(values.pool_quote_reserves_before!) + inPool!.quoteAmount);
      expect(facts.completed).toMatchObject([{ mint }]);
      expect(inPool!.ixIndex).toBeGreaterThan(onCurve!.ixIndex);
    },
  );
});

describe.skipIf(!hasFixtures)('the migration after it', () => {
  it('makes the pool whose address and reserves the completing buy already told', () => {
    const completing = recorded('completing_txs_20261009.first3.json')[0]!;
    const migration = recorded('migrate_txs_20261009.extract.json').find(({ mint }) => mint === completing.mint)!;
    const args = { spendableQuoteIn: 1n, minTokensOut: 1n };
    const buy = derive(venueCall('pump', 'buy_exact_quote_in_v3', args, {}, events(completing.program_data_lines)));
    const facts = derive(venueCall('pump', 'migrate_v2', {}, {}, events(migration.program_data_lines)));
    const promised = buy.swaps[1]!;
    expect(facts.pools).toMatchObject([
      {
        mint: completing.mint,
        pool: promised.pool,
        canonical: true,
        tokenAmount: promised.realTokenReserves,
        quoteAmount: promised.realQuoteReserves,
      },
    ]);
    expect(facts.graduated).toMatchObject([{ mint: completing.mint, pool: promised.pool, migrationFee: 15_000_001n }]);
  });
});

describe.skipIf(!hasFixtures)('a boosted pool', () => {
  it('that buys and burns gives a row of the protocol, whose price counts', () => {
    const file = 'boost_buy_and_burn_oct.json';
    const record = JSON.parse(fixtureText(`events-2026-10/${file}`)) as { meta: { logMessages: string[] } };
    const lines = record.meta.logMessages.filter((line) => line.startsWith(DATA));
    const [bought] = decodedValues(file, 'BuyEvent');
    const [burnt] = decodedValues(file, 'BoostBuyAndBurnEvent');
    const accounts = { pool: burnt!.pool!, baseMint: burnt!.mint!, quoteMint: WSOL_MINT } as Record<string, Address>;
    const args = { quoteAmountIn: 1n, minBaseAmountBurned: 1n };
    const { swaps, unexplained } = derive(venueCall('pump_amm', 'boost_buy_and_burn', args, accounts, events(lines)));
    expect(swaps).toMatchObject([
      {
        protocolActor: true,
        priced: true,
        mint: burnt!.mint,
        quoteAmount: BigInt(burnt!.quote_amount_in_used!),
        tokenAmount: BigInt(bought!.base_amount_out!),
        realQuoteReserves: BigInt(burnt!.real_quote_reserves_after!),
        realTokenReserves: BigInt(burnt!.base_reserves_after!),
      },
    ]);
    // Nobody received what was burnt.
    expect(unexplained).toEqual([]);
  });

  it('that keeps its fees pays out of the vault what the sale before fees leaves', () => {
    const file = 'sell_v2_kept.json';
    const record = JSON.parse(fixtureText(`events-2026-10/${file}`)) as { meta: { logMessages: string[] } };
    const lines = record.meta.logMessages.filter((line) => line.startsWith(DATA));
    const [sold] = decodedValues(file, 'SellEvent');
    const accounts = { pool: sold!.pool!, baseMint: someAddress(), quoteMint: WSOL_MINT } as Record<string, Address>;
    const args = { baseAmountIn: 1n, minQuoteAmountOut: 1n };
    const [swap] = derive(venueCall('pump_amm', 'sell_v2', args, accounts, events(lines))).swaps;
    const paidOut = BigInt(sold!.user_quote_amount_out!) + BigInt(sold!.buyback_fee!);
    expect(swap!.realQuoteReserves).toBe(BigInt(sold!.pool_quote_token_reserves!) - paidOut);
    expect(swap).toMatchObject({
      isBuy: false,
      quoteAmount: BigInt(sold!.quote_amount_out!),
      fee: 4_989n,
      creatorFee: 84_808n,
    });
  });
});
