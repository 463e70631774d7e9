import { describe, expect, test } from 'vitest';
import { encodeAddress } from '../chain/keys/base58.ts';
import { failingJournal } from '../kernel/journal.ts';
import { decodeEvent } from './decode.ts';
import type { DataOf, Fields, FieldType, Layout } from './layout.ts';
import { encodeLayout } from './layout-writer.ts';
import { PUMP_EVENTS } from './pump/events.ts';
import { PUMP_AMM_EVENTS } from './pump-amm/events.ts';

const ADDRESS = encodeAddress(new Uint8Array(32).fill(9));
const VALUES = { bool: true, u8: 3, u16: 3, u32: 3, address: ADDRESS, string: '', bytes: new Uint8Array(0) };

function sampleOf(type: FieldType): unknown {
  if (typeof type !== 'string') return [];
  return type in VALUES ? VALUES[type as keyof typeof VALUES] : 5n;
}

function samplesOf(fields: Fields): [string, unknown][] {
  return Object.entries(fields).map(([name, type]) => [name, sampleOf(type)]);
}

/** An event as programs wrote it from `since` on (the oldest when empty), with nothing in its lists and strings but `ixName`. */
function eventBytes(layout: Layout, since: string, ixName: string): { bytes: Uint8Array; names: string[] } {
  const newer = (layout.appended ?? []).filter((generation) => generation.since <= since);
  const entries = [layout.fields, ...newer.map(({ fields }) => fields)].flatMap(samplesOf);
  const data = Object.fromEntries(entries.map(([name, value]) => [name, name === 'ixName' ? ixName : value]));
  return { bytes: encodeLayout(layout, data as DataOf<Layout>), names: Object.keys(data) };
}

/** Bytes with the discriminator, as they stood in transactions of mainnet at the time. */
const LENGTHS: readonly (readonly ['pump' | 'pump_amm', string, string, string, number])[] = [
  ['pump', 'TradeEvent', '2024-07', '', 129],
  ['pump', 'TradeEvent', '2025-06', '', 225],
  ['pump', 'TradeEvent', '2025-09', '', 258],
  ['pump', 'TradeEvent', '2026-03', 'buy', 282],
  ['pump', 'TradeEvent', '2026-03', 'sell', 283],
  ['pump', 'TradeEvent', '2026-06', 'buy', 358],
  ['pump', 'TradeEvent', '2026-06', 'buy_exact_sol_in', 371],
  ['pump', 'TradeEvent', '2026-10-02', '', 379],
  ['pump', 'TradeEvent', '2026-10-02', 'buy', 382],
  ['pump', 'CompleteEvent', '2025-01', '', 112],
  ['pump', 'CompleteEvent', '2026-10', '', 144],
  ['pump_amm', 'BuyEvent', '2025-06', '', 360],
  ['pump_amm', 'BuyEvent', '2025-09', '', 393],
  ['pump_amm', 'BuyEvent', '2025-11', 'buy', 408],
  ['pump_amm', 'BuyEvent', '2026-03', 'buy', 424],
  ['pump_amm', 'BuyEvent', '2026-03', 'buy_exact_quote_in', 439],
  ['pump_amm', 'BuyEvent', '2026-06', 'buy', 440],
  ['pump_amm', 'BuyEvent', '2026-10-02', '', 486],
  ['pump_amm', 'SellEvent', '2025-06', '', 360],
  ['pump_amm', 'SellEvent', '2026-03', '', 376],
  ['pump_amm', 'SellEvent', '2026-10-02', '', 441],
];

const layouts: Readonly<Record<'pump' | 'pump_amm', Readonly<Record<string, Layout>>>> = {
  pump: PUMP_EVENTS,
  pump_amm: PUMP_AMM_EVENTS,
};

describe('every generation of an event', () => {
  test.each(LENGTHS)('%s %s of %s (%s) has %i bytes, all of them explained', (program, name, since, ixName, length) => {
    const { bytes, names } = eventBytes(layouts[program][name]!, since, ixName);
    expect(bytes).toHaveLength(length);
    const event = decodeEvent(program, bytes, 0, 0, 0, failingJournal);
    const told = Object.entries(event!.data).filter(([, value]) => value !== undefined);
    expect([event!.name, told.map(([field]) => field)]).toEqual([name, names]);
  });

  test('a creation of 8 October 2026 has one byte more than one of the day before', () => {
    const layout = PUMP_EVENTS.CreateEvent;
    const [before, after] = ['2026-10-07', '2026-10-08'].map((day) => eventBytes(layout, day, '').bytes.length);
    expect(after! - before!).toBe(1);
  });
});
