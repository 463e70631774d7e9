import { ClickHouseError } from '@clickhouse/client';
import { describe, expect, it } from 'vitest';
import { type Clock, systemClock } from '../kernel/clock.ts';
import { createDescriptors } from '../kernel/descriptors.ts';
import { silentLogger } from '../kernel/log.ts';
import { createStoreTrouble } from '../store/clickhouse/write/store-trouble.ts';
import { ReadFault } from '../store/reads/read-fault.ts';
import { patientRead } from './patient-read.ts';

const hasty: Clock = { ...systemClock, sleep: () => Promise.resolve() };
const fault = (code: string) => Object.assign(new Error(`code ${code}`), { code });

function failing(...faults: Error[]): () => Promise<string> {
  return () => {
    const next = faults.shift();
    return next === undefined ? Promise.resolve('rows') : Promise.reject(next);
  };
}

const read = (attempt: () => Promise<string>, signal = new AbortController().signal, start: { clock?: Clock } = {}) =>
  patientRead(
    {
      clock: hasty,
      log: silentLogger,
      descriptors: createDescriptors({ clock: hasty, log: silentLogger }),
      trouble: createStoreTrouble({ clock: hasty }),
      signal,
      ...start,
    },
    attempt,
  );

describe('a read that ingest depends on', () => {
  it('waits while the store is away, busy or going down', async () => {
    const codes = ['ECONNREFUSED', '241', '202', '159', '236', '394'];
    const faults = [new Error('socket hang up'), ...codes.map(fault)];
    expect(await read(failing(...faults))).toBe('rows');
  });

  it('waits for a descriptor longer than for a store that is away', async () => {
    const shortage = () => Object.assign(new Error('connect EMFILE'), { code: 'EMFILE' });
    expect(await read(failing(...Array.from({ length: 3_000 }, shortage)))).toBe('rows');
  });

  it.each([
    ['279', 'ALL_CONNECTION_TRIES_FAILED'],
    ['999', 'KEEPER_EXCEPTION'],
    ['210', 'NETWORK_ERROR'],
    ['236', 'ABORTED'],
    ['243', 'NOT_ENOUGH_SPACE'],
    ['1001', 'STD_EXCEPTION'],
    ['60', 'UNKNOWN_TABLE'],
    ['497', 'ACCESS_DENIED'],
    ['516', 'AUTHENTICATION_FAILED'],
    ['987654', 'A_CODE_OF_TOMORROW'],
  ])('waits when the store says %s %s, which is not about the question', async (code) => {
    expect(await read(failing(fault(code), fault(code)))).toBe('rows');
  });

  it('waits when the answer lacks rows: it is never taken for one without any', async () => {
    expect(await read(failing(new ReadFault('incomplete', '0 of 5 rows have come of an answer')))).toBe('rows');
  });

  it('waits for a store that is away for more than a thousand tries', async () => {
    expect(await read(failing(...Array.from({ length: 3_000 }, () => fault('ECONNREFUSED'))))).toBe('rows');
  });

  it('fails at once when the store refuses the question', async () => {
    await expect(read(failing(fault('62')))).rejects.toThrow('code 62');
  });

  describe('first of all, at a start', () => {
    /** A clock that a sleep moves. */
    const start = () => {
      let now = 0;
      const sleep = async (ms: number) => {
        now += ms;
      };
      return { isStart: true, clock: { ...systemClock, elapsed: () => now, sleep } };
    };
    const readFirst = (attempt: () => Promise<string>) => read(attempt, undefined, start());

    it('waits for a store that is not up yet', async () => {
      expect(await readFirst(failing(fault('ECONNREFUSED'), fault('ECONNREFUSED')))).toBe('rows');
    });

    it.each(['516', '497', '62'])('fails at once over %s, which nobody mends meanwhile', async (code) => {
      const said = new ClickHouseError({ code, type: 'X', message: `code ${code}` });
      await expect(readFirst(failing(said))).rejects.toBe(said);
    });

    it('does not wait for ever', async () => {
      await expect(readFirst(() => Promise.reject(fault('ECONNREFUSED')))).rejects.toThrow('ECONNREFUSED');
    });
  });

  it('gives up when the store is closed', async () => {
    await expect(read(failing(fault('ECONNREFUSED')), AbortSignal.abort())).rejects.toThrow('ECONNREFUSED');
  });
});
