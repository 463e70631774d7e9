import { ClickHouseError } from '@clickhouse/client';
import { describe, expect, it } from 'vitest';
import { silentLogger } from '../kernel/log.ts';
import { START_PATIENCE_MS } from '../store/clickhouse/start-patience.ts';
import { StoreError } from '../store/clickhouse/store-error.ts';
import { ReadFault } from '../store/reads/read-fault.ts';
import { openPatiently } from './patient-start.ts';

const said = (code: string, type = 'X') => new ClickHouseError({ code, type, message: 'x' });
const system = (code: string) => Object.assign(new Error(code), { code });
const unusable = (cause: Error) => new StoreError('server_unusable', 'it cannot be used', { cause });

/** Opens after so many faults; gives how often it was tried, and how long that took by a clock that sleeps at once. */
async function open(fault: Error, times: number) {
  let now = 0;
  let tries = 0;
  const told: string[] = [];
  const clock = {
    now: () => now,
    elapsed: () => now,
    sleep: async (ms: number) => {
      now += ms;
    },
  };
  const log = { ...silentLogger, warn: (_fields: object, message: string) => void told.push(message) };
  const outcome = await openPatiently({ clock, log, signal: new AbortController().signal }, async () => {
    tries += 1;
    if (tries <= times) throw fault;
    return 'open';
  }).catch((error: unknown) => error);
  return { outcome, tries, ms: now, told: told.length };
}

describe('a start', () => {
  it.each([
    ['another server that is away', said('279', 'ALL_CONNECTION_TRIES_FAILED')],
    ['Keeper', said('999', 'KEEPER_EXCEPTION')],
    ['the network', unusable(said('210', 'NETWORK_ERROR'))],
    ['a server that goes down', unusable(said('236', 'ABORTED'))],
    ['a server that is not up yet', unusable(system('ECONNREFUSED'))],
    ['a server whose name nobody knows yet', unusable(system('ENOTFOUND'))],
    ['a server that does not answer', unusable(new Error('Timeout error.'))],
    ['an answer that was cut', new ReadFault('incomplete', '0 of 5 rows')],
  ])('waits out %s, and tells it', async (_what, fault) => {
    expect(await open(fault, 3)).toMatchObject({ outcome: 'open', tries: 4, told: 3 });
  });

  it.each([
    ['a login', unusable(said('516', 'AUTHENTICATION_FAILED'))],
    ['rights', unusable(said('497', 'ACCESS_DENIED'))],
    ['a question', said('62', 'SYNTAX_ERROR')],
    ['a certificate', unusable(system('DEPTH_ZERO_SELF_SIGNED_CERT'))],
    ['an authority that cannot be read', unusable(system('ENOENT'))],
    ['a server whose answers cannot be counted', unusable(new ReadFault('incomplete', 'no header'))],
    ['another chain', new StoreError('other_chain', 'of another chain')],
    ['a fault of ours', new TypeError('x is undefined')],
  ])('ends at once over %s', async (_what, fault) => {
    expect(await open(fault, 1)).toEqual({ outcome: fault, tries: 1, ms: 0, told: 0 });
  });

  it('does not wait for ever', async () => {
    const fault = said('999', 'KEEPER_EXCEPTION');
    const { outcome, ms } = await open(fault, Number.POSITIVE_INFINITY);
    expect(outcome).toBe(fault);
    expect(ms).toBeGreaterThanOrEqual(START_PATIENCE_MS);
    expect(ms).toBeLessThan(2 * START_PATIENCE_MS);
  });
});
