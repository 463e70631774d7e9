import { ClickHouseError } from '@clickhouse/client';
import { describe, expect, it } from 'vitest';
import { ReadFault } from '../store/reads/read-fault.ts';
import { toApiError } from './errors.ts';

const store = (type: string, message = 'x') => new ClickHouseError({ type, code: '1', message });
const answerTo = (error: Error) => {
  const { entry, code, retryAfter } = toApiError(error);
  return [entry.status, code, retryAfter];
};

describe('a read over its bound is 504', () => {
  it.each([
    ['the time, by the clock of the store', store('TIMEOUT_EXCEEDED')],
    ['the time, by an estimate of the store', store('TOO_SLOW')],
    ['the time, by our clock', new ReadFault('timed_out', 'late')],
    ['the time, when we hung up and the store was quicker to say so', store('QUERY_WAS_CANCELLED_BY_CLIENT')],
    ['the time of the route, for another who shares it', new ReadFault('abandoned', 'gone')],
    ['the memory of one query', store('MEMORY_LIMIT_EXCEEDED', 'Query memory limit exceeded: would use 20.00 MiB')],
    ['the same of older stores', store('MEMORY_LIMIT_EXCEEDED', 'Memory limit (for query) exceeded: would use 1 GiB')],
  ])('%s', (_which, error) => {
    expect(answerTo(error)).toEqual([504, 'query_timeout', undefined]);
  });
});

describe('a store that is too busy is 503 with Retry-After', () => {
  it.each([
    ['queries', store('TOO_MANY_SIMULTANEOUS_QUERIES')],
    ['all its memory', store('MEMORY_LIMIT_EXCEEDED', '(total) memory limit exceeded: would use 3.07 GiB')],
    ['the memory of its user', store('MEMORY_LIMIT_EXCEEDED', 'User memory limit exceeded: would use 20.00 MiB')],
    ['the same of older stores', store('MEMORY_LIMIT_EXCEEDED', 'Memory limit (total) exceeded: would use 3 GiB')],
    ['threads', store('CANNOT_SCHEDULE_TASK')],
    ['load', store('SERVER_OVERLOADED')],
    ['answers on its disk', store('NOT_ENOUGH_SPACE')],
    ['an answer without its rows', new ReadFault('incomplete', '0 of 5 rows')],
    ['a page of a proxy in the place of an answer', new ReadFault('unreachable', '<html>')],
    ['another server that it cannot reach', store('ALL_CONNECTION_TRIES_FAILED')],
    ['its Keeper', store('KEEPER_EXCEPTION')],
    ['its network', store('NETWORK_ERROR')],
    ['an end over a fault of its own', store('ABORTED')],
    ['our password', store('AUTHENTICATION_FAILED')],
    ['a table that is away', store('UNKNOWN_TABLE')],
    ['what nobody has named yet', store('AN_ERROR_OF_TOMORROW')],
    ['what waits for it', new ReadFault('too_busy', 'full')],
  ])('%s', (_which, error) => {
    expect(answerTo(error)).toEqual([503, 'storage_unavailable', 2]);
  });
});

it('whoever is over its share gets 429 with when to come again', () => {
  expect(answerTo(new ReadFault('over_share', 'too many', 3))).toEqual([429, 'rate_limited', 3]);
});

it('what the store says of a faulty query is a fault of ours', () => {
  expect(answerTo(store('UNKNOWN_IDENTIFIER'))).toEqual([500, 'internal', undefined]);
});
