import { describe, expect, test } from 'vitest';
import type { FakeCall } from '../../test/support/fake-transaction.ts';
import { fakeTransaction } from '../../test/support/fake-transaction.ts';
import { recordingJournal } from '../../test/support/recording-journal.ts';
import type { Address } from '../chain/address.ts';
import { ZERO_ADDRESS } from '../chain/address.ts';
import { SYSTEM_PROGRAM } from '../chain/well-known.ts';
import { failingJournal } from '../kernel/journal.ts';
import { decodeEvents } from './decode.ts';
import { discriminatorText } from './discriminator.ts';
import { encodeEvent, eventInstructionData } from './program-event.ts';
import type { CompleteEvent, TradeEvent } from './pump/events.ts';
import { PUMP_EVENT_AUTHORITY, PUMP_PROGRAM } from './pump/ids.ts';
import { PUMP_AMM_EVENT_AUTHORITY, PUMP_AMM_PROGRAM } from './pump-amm/ids.ts';
import { encodeInstruction } from './venue-instruction.ts';

const ROUTER = 'JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address;
const MINT = '4WrjfJXMSJnWgxFhzCvNRtTVLAfzXL3Zmf4413aqpump' as Address;
const USER = 'ASxMiMb1AJGTU4AduPNB2CGqT1TiDqWkLvy7oCUnzw5x' as Address;

const TRADE: TradeEvent = {
  mint: MINT,
  solAmount: 1_000_000n,
  tokenAmount: 35_000_000n,
  isBuy: true,
  user: USER,
  timestamp: 1_790_000_000n,
  virtualSolReserves: 30_001_000_000n,
  virtualTokenReserves: 1_072_965_000_000_000n,
};
const COMPLETE: CompleteEvent = { user: USER, mint: MINT, bondingCurve: USER, timestamp: 1_790_000_000n };

const TRADE_BYTES = encodeEvent('pump', 'TradeEvent', TRADE);
const COMPLETE_BYTES = encodeEvent('pump', 'CompleteEvent', COMPLETE);

const POOL_SELL = encodeInstruction('pump_amm', 'sell', { baseAmountIn: 1n, minQuoteAmountOut: 2n });

const buy = (depth: number): FakeCall => ({
  program: PUMP_PROGRAM,
  accounts: [USER, MINT],
  data: encodeInstruction('pump', 'buy', { amount: 1n, maxSolCost: 2n }),
  depth,
});
const event = (bytes: Uint8Array, depth: number): FakeCall => ({
  program: PUMP_PROGRAM,
  accounts: [PUMP_EVENT_AUTHORITY],
  data: eventInstructionData(bytes),
  depth,
});
const route: FakeCall = { program: ROUTER, data: Uint8Array.of(1), depth: 1 };
const transfer = (depth: number): FakeCall => ({ program: SYSTEM_PROGRAM, data: new Uint8Array(12), depth });

const dataLine = (bytes: Uint8Array): string => `Program data: ${Buffer.from(bytes).toString('base64')}`;
const invoke = (program: Address, depth: number): string => `Program ${program} invoke [${depth}]`;
const success = (program: Address): string => `Program ${program} success`;

describe('decodeEvents', () => {
  test('gives each event its own place and the place of the call that made it', () => {
    const tx = fakeTransaction({
      calls: [transfer(1), route, buy(2), transfer(3), event(TRADE_BYTES, 3), event(COMPLETE_BYTES, 3), transfer(2)],
    });
    const events = decodeEvents(tx, failingJournal);
    expect(events.map(({ name, ixIndex, callIndex }) => [name, ixIndex, callIndex])).toEqual([
      ['TradeEvent', 4, 2],
      ['CompleteEvent', 5, 2],
    ]);
    expect(events[0]?.data).toEqual(TRADE);
    expect(events[1]?.data).toEqual(COMPLETE);
  });

  test('tells two calls of one route apart, with stack heights and without', () => {
    const second = [buy(2), transfer(3), event(TRADE_BYTES, 3), event(COMPLETE_BYTES, 3)];
    const calls = [route, buy(2), event(TRADE_BYTES, 3), ...second];
    for (const flat of [false, true]) {
      const events = decodeEvents(fakeTransaction({ calls, flat }), failingJournal);
      expect(events.map(({ ixIndex, callIndex }) => [ixIndex, callIndex])).toEqual([
        [2, 1],
        [5, 3],
        [6, 3],
      ]);
    }
  });

  test('orders events of several programs by their place', () => {
    const base = { timestamp: 1n, baseMint: MINT, pool: USER, bondingCurve: USER, coinCreator: USER };
    const pool: FakeCall = {
      program: PUMP_AMM_PROGRAM,
      accounts: [PUMP_AMM_EVENT_AUTHORITY],
      data: eventInstructionData(encodeEvent('pump_amm', 'SetBondingCurveCoinCreatorEvent', base)),
      depth: 3,
    };
    const poolCall: FakeCall = { program: PUMP_AMM_PROGRAM, data: POOL_SELL, depth: 2 };
    const tx = fakeTransaction({ calls: [route, poolCall, pool, buy(2), event(TRADE_BYTES, 3), poolCall, pool] });
    expect(decodeEvents(tx, failingJournal).map(({ program, ixIndex }) => [program, ixIndex])).toEqual([
      ['pump_amm', 2],
      ['pump', 4],
      ['pump_amm', 6],
    ]);
  });

  test('a failed transaction has none: what it logged did not happen', () => {
    const error = { kind: 'InstructionError', instructionIndex: 0, instructionError: 'Custom', customCode: 6002 };
    expect(decodeEvents(fakeTransaction({ calls: [buy(1), event(TRADE_BYTES, 2)], error }), failingJournal)).toEqual(
      [],
    );
  });

  test('only what the program called on itself with its event authority counts', () => {
    const forged = [
      { ...event(TRADE_BYTES, 2), program: ROUTER },
      { ...event(TRADE_BYTES, 2), accounts: [USER] },
      { ...event(TRADE_BYTES, 2), accounts: [PUMP_EVENT_AUTHORITY, USER] },
      { ...event(TRADE_BYTES, 1) },
    ];
    const genuine = [buy(1), event(COMPLETE_BYTES, 2)];
    const tx = fakeTransaction({ calls: [...genuine, ...forged] });
    expect(decodeEvents(tx, failingJournal).map(({ name }) => name)).toEqual(['CompleteEvent']);
  });

  test('a discriminator of one program says nothing in another', () => {
    const journal = recordingJournal();
    const asPool = { ...event(TRADE_BYTES, 2), program: PUMP_AMM_PROGRAM, accounts: [PUMP_AMM_EVENT_AUTHORITY] };
    const poolCall: FakeCall = { program: PUMP_AMM_PROGRAM, data: POOL_SELL, depth: 1 };
    expect(decodeEvents(fakeTransaction({ calls: [poolCall, asPool] }), journal)).toEqual([]);
    expect(journal.notes.map(({ code, subject }) => [code, subject])).toEqual([['unknown_event', 'pump_amm']]);
  });

  test('half a discriminator is none', () => {
    const journal = recordingJournal();
    const half = new Uint8Array(TRADE_BYTES).fill(0, 4, 8);
    expect(decodeEvents(fakeTransaction({ calls: [buy(1), event(half, 2)] }), journal)).toEqual([]);
    expect(journal.notes[0]?.code).toBe('unknown_event');
  });

  test('an event that is published in an unknown way is counted', () => {
    const journal = recordingJournal();
    const calls = [
      buy(1),
      { ...event(TRADE_BYTES, 2), data: TRADE_BYTES },
      { ...event(TRADE_BYTES, 2), data: Uint8Array.of(7) },
    ];
    expect(decodeEvents(fakeTransaction({ calls }), journal)).toEqual([]);
    expect(journal.notes).toEqual([
      {
        code: 'unknown_event',
        subject: 'pump',
        detail: { discriminator: discriminatorText(TRADE_BYTES, 0), bytes: TRADE_BYTES.length },
      },
      { code: 'unknown_event', subject: 'pump', detail: { discriminator: '07', bytes: 1 } },
    ]);
  });

  test('an instruction without a name whose events are read is counted', () => {
    const journal = recordingJournal();
    const call = { ...buy(1), data: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8, 9) };
    expect(decodeEvents(fakeTransaction({ calls: [call, event(TRADE_BYTES, 2)] }), journal)).toHaveLength(1);
    expect(journal.notes).toEqual([
      { code: 'unknown_instruction', subject: 'pump', detail: { discriminator: '0102030405060708', bytes: 9 } },
    ]);
  });

  test('unknown, short and longer events are counted, never thrown', () => {
    const journal = recordingJournal();
    const calls = [
      buy(1),
      event(Uint8Array.of(9, 9, 9, 9, 9, 9, 9, 9, 1), 2),
      event(TRADE_BYTES.subarray(0, 100), 2),
      event(Uint8Array.of(1, 2), 2),
      event(Buffer.concat([COMPLETE_BYTES, new Uint8Array(35)]), 2),
    ];
    const events = decodeEvents(fakeTransaction({ calls }), journal);
    expect(events.map(({ name }) => name)).toEqual(['CompleteEvent']);
    expect(events[0]?.data).toEqual({ ...COMPLETE, quoteMint: ZERO_ADDRESS });
    expect(journal.notes).toEqual([
      { code: 'unknown_event', subject: 'pump', detail: { discriminator: '0909090909090909', bytes: 9 } },
      { code: 'event_too_short', subject: 'pump.TradeEvent', detail: { bytes: 100 } },
      { code: 'unknown_event', subject: 'pump', detail: { discriminator: '0102', bytes: 2 } },
      { code: 'event_tail', subject: 'pump.CompleteEvent', detail: { bytes: 3 } },
    ]);
  });
});

describe('events out of the logs', () => {
  const other = { ...TRADE, solAmount: 7n };
  const calls = [route, buy(2), event(TRADE_BYTES, 3), buy(2), event(encodeEvent('pump', 'TradeEvent', other), 3)];
  const logs = [
    invoke(ROUTER, 1),
    dataLine(TRADE_BYTES),
    invoke(PUMP_PROGRAM, 2),
    'Program log: Program data: AAAA',
    dataLine(TRADE_BYTES),
    invoke(PUMP_PROGRAM, 3),
    success(PUMP_PROGRAM),
    success(PUMP_PROGRAM),
    invoke(PUMP_PROGRAM, 2),
    dataLine(encodeEvent('pump', 'TradeEvent', other)),
    invoke(PUMP_PROGRAM, 3),
    `Program ${PUMP_PROGRAM} consumed 2000 of 100000 compute units`,
    success(PUMP_PROGRAM),
    success(PUMP_PROGRAM),
    success(ROUTER),
  ];
  const fromCalls = decodeEvents(fakeTransaction({ calls }), failingJournal);

  /** The same calls, whose data may not be looked at: it would give other events. */
  const unreadable = calls.map((call) => ({ ...call, data: eventInstructionData(COMPLETE_BYTES) }));

  test("are the same, without the calls' data being looked at", () => {
    const tx = fakeTransaction({ calls: unreadable, logs, dataEncoding: 'base58' });
    expect(decodeEvents(tx, failingJournal)).toEqual(fromCalls);
  });

  const forged = dataLine(COMPLETE_BYTES);
  test.each([
    ['a call', ['Program log: invoke [9]', success(ROUTER), dataLine(TRADE_BYTES)], [forged]],
    ['a return', ['Program log: success', forged, success(ROUTER), dataLine(TRADE_BYTES)], []],
  ])('cannot be forged by a program that logs %s as the runtime would', (_, inVenue, afterVenue) => {
    const trick = [
      ...logs.slice(0, 4),
      invoke(ROUTER, 3),
      ...inVenue,
      ...logs.slice(5, 8),
      ...afterVenue,
      ...logs.slice(8),
    ];
    const tx = fakeTransaction({ calls: unreadable, logs: trick, dataEncoding: 'base58' });
    expect(decodeEvents(tx, failingJournal)).toEqual(fromCalls);
  });

  /** As many events as the calls made, but others: whoever used them would be found out. */
  const wrong = logs.map((line) => (line === dataLine(TRADE_BYTES) ? dataLine(COMPLETE_BYTES) : line));

  test.each([
    ['are truncated', [...wrong.slice(0, -1), 'Log truncated']],
    ['miss a line', wrong.toSpliced(4, 1)],
    ['have a line more', wrong.toSpliced(4, 0, dataLine(COMPLETE_BYTES))],
    ['hold the line of another program only', wrong.toSpliced(2, 1, invoke(ROUTER, 2))],
    ['were not recorded', undefined],
  ])('are not used when they %s', (_, lines) => {
    const tx = fakeTransaction({ calls, dataEncoding: 'base58', ...(lines === undefined ? {} : { logs: lines }) });
    expect(decodeEvents(tx, failingJournal)).toEqual(fromCalls);
  });
});
