import { describe, expect, test } from 'vitest';
import { fixtureText, hasFixtures, realTransactions, transactionIndex } from '../../test/support/fixtures.ts';
import { camelCase, loggedEvents } from '../../test/support/real-events.ts';
import type { Transaction } from '../chain/block.ts';
import { readRpcTransaction } from '../chain/rpc/rpc-json.ts';
import { failingJournal, silentJournal } from '../kernel/journal.ts';
import { decodeEvent, decodeEvents } from './decode.ts';
import { LayoutCursor } from './layout-cursor.ts';
import { compileReader } from './layout-reader.ts';
import type { ProgramEvent } from './program-event.ts';
import { encodeEvent, eventInstructionData } from './program-event.ts';
import { readVenueInstruction } from './venue-instruction.ts';
import { VENUES } from './venues.ts';

interface ExpectedCase {
  readonly case: string;
  readonly bytes_hex: string;
  readonly type: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

interface DecodedEvent {
  readonly event: string;
  readonly len: number;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Ours in the words of the fixtures: numbers and bigints as text. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint' || typeof value === 'number') return String(value);
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [camelCase(name), plain(member)]));
  }
  return value;
}

describe.skipIf(!hasFixtures)('real bytes and the values that third parties expect', () => {
  const { cases } = hasFixtures
    ? (JSON.parse(fixtureText('expected/pump-curve-events.json')) as { cases: ExpectedCase[] })
    : { cases: [] };

  test.each(cases)('$case', ({ bytes_hex, type, fields }) => {
    const bytes = Buffer.from(bytes_hex, 'hex');
    const data = type.endsWith('Instruction')
      ? compileReader(VENUES.pump.instructions[type.startsWith('Buy') ? 'buy' : 'create'])(
          new LayoutCursor().open(bytes, 8),
        )
      : decodeEvent('pump', bytes, 8, 0, 0, failingJournal)?.data;
    expect(plain(data)).toMatchObject(plain(fields) as object);
  });
});

describe.skipIf(!hasFixtures)('real events of October 2026', () => {
  const decoded = hasFixtures ? (JSON.parse(fixtureText('events-2026-10/decoded.json')) as DecodedEvent[]) : [];
  const logged = loggedEvents(['events-2026-10']);

  test.each(decoded)('$event of $len bytes has the values decoded elsewhere', ({ event, len, values }) => {
    const expected = JSON.stringify(plain(values));
    const same = logged.filter(
      (candidate) => candidate.event.name === event && JSON.stringify(plain(candidate.event.data)) === expected,
    );
    expect(same).toHaveLength(1);
    expect(same[0]!.bytes).toHaveLength(len);
  });

  test('every one of them is in the list', () => {
    expect(logged).toHaveLength(decoded.length);
  });
});

describe.skipIf(!hasFixtures)('events in the logs of the real transactions', () => {
  const logged = loggedEvents();

  test('no byte of any of them is unexplained', () => {
    expect(logged.filter(({ unexplained }) => unexplained > 0)).toEqual([]);
    expect(logged.length).toBeGreaterThan(60);
  });

  test('each is written again to the very same bytes', () => {
    for (const { event, bytes } of logged) {
      const again = encodeEvent(event.program as 'pump', event.name as 'TradeEvent', event.data as never);
      expect(Buffer.from(again).equals(Buffer.from(bytes))).toBe(true);
    }
  });
});

/** The places where the index writes an event's length: `TradeEvent[382]`. */
const LENGTHS = /(\w+Event)\[(\d+)\]/g;

describe.skipIf(!hasFixtures)('real transactions', () => {
  const index = hasFixtures ? transactionIndex('transactions') : new Map();
  const real = realTransactions().map(({ name, json }) => ({ name, json }));

  test.each(real)('$name gives the events of its index, the same from calls and from logs', ({ name, json }) => {
    const tx = readRpcTransaction(json, silentJournal).transactions[0]!;
    const events = decodeEvents(tx, failingJournal);
    expect(decodeEvents(withEncoding(tx, undefined), failingJournal)).toEqual(events);
    expect(decodeEvents(withEncoding(tx, 'base58'), failingJournal)).toEqual(events);
    expect(events.map((event) => event.ixIndex)).toEqual(events.map((event) => event.ixIndex).sort((a, b) => a - b));
    for (const event of events) expect(callsOf(tx, event)).toContain(callName(event));
    const described: string = index.get(name)?.events ?? '';
    for (const [, event, length] of described.matchAll(LENGTHS)) {
      const lengths = events.filter((candidate) => candidate.name === event).map(lengthOf);
      expect(lengths).toContain(Number(length));
    }
    if (tx.error === null) expect(events.length).toBeGreaterThan(0);
    else expect(events).toEqual([]);
  });

  test.each(['transactions-other', 'transfers', 'equities'] as const)('%s hold none', (folder) => {
    for (const { json } of realTransactions(folder)) {
      const [tx] = readRpcTransaction(json, silentJournal).transactions;
      if (tx !== undefined) expect(decodeEvents(tx, failingJournal)).toEqual([]);
    }
  });
});

function withEncoding(tx: Transaction, dataEncoding: 'base58' | undefined): Transaction {
  return Object.create(tx, { dataEncoding: { value: dataEncoding } }) as Transaction;
}

function lengthOf(event: ProgramEvent): number {
  const bytes = encodeEvent(event.program as 'pump', event.name as 'TradeEvent', event.data as never);
  return eventInstructionData(bytes).length - 8;
}

/** Name of the instruction that an event says it comes from. */
function callName(event: ProgramEvent): string {
  switch (event.name) {
    case 'TradeEvent':
    case 'CompleteEvent':
      return 'trade';
    case 'BuyEvent':
      return 'buy';
    case 'SellEvent':
      return 'sell';
    case 'CreateEvent':
      return 'create';
    default:
      return event.name === 'CreatePoolEvent' ? 'create_pool' : 'migrate';
  }
}

/** Names of the instruction at `callIndex`, in the words of `callName`. */
function callsOf(tx: Transaction, event: ProgramEvent): string[] {
  const name = readVenueInstruction(tx, tx.instructions[event.callIndex]!)?.name ?? 'none';
  const side = name.split('_')[0]!;
  return [name, side, ...(side === 'buy' || side === 'sell' ? ['trade'] : [])];
}
