import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE_PATH } from '../../src/contract/headers.ts';
import { routeErrors } from '../../src/contract/route.ts';
import { ROUTES } from '../../src/routes.ts';
import { createTroubledApps, type TroubledApps } from './declared-errors.ts';
import { openRecording } from './recording.ts';
import { type UsualHeaders, usualHeaders } from './talk.ts';

/** Compares refusals to the byte against the recorded ones. `answers.long.test.ts` tells how to record them anew. */

const recording = openRecording(['errors.txt', 'problems.txt', 'openapi.txt', 'costs.txt']);
let apps: TroubledApps;
let usual: UsualHeaders;

beforeAll(async () => {
  apps = createTroubledApps();
  usual = usualHeaders(await apps.calm.inject(`${BASE_PATH}/health`));
});

afterAll(async () => {
  recording.close();
  await apps?.close();
});

function expectRecorded(file: string, section: string, found: string): void {
  const difference = recording.difference(file, section, found);
  if (difference !== undefined) expect.fail(difference);
}

describe('every refusal is the one that was recorded', () => {
  it.each(ROUTES.map((route) => [route.name, route] as const))('of %s', async (name, route) => {
    expectRecorded('errors.txt', name, await apps.refusals(route, usual));
  });
});

describe('every problem is the one that was recorded', () => {
  const codes = new Map(ROUTES.toReversed().flatMap((route) => routeErrors(route).map((code) => [code, route])));

  it.each([...codes].sort())('%s', async (code, route) => {
    expectRecorded('problems.txt', code, await apps.problem(route, code, usual));
  });
});

describe('what is told of the routes', () => {
  it.each([
    ['openapi.txt', '/openapi.json'],
    ['costs.txt', '/credits/costs'],
  ])('is in %s to the byte', async (file, path) => {
    expectRecorded(file, path, (await apps.calm.inject(BASE_PATH + path)).body);
  });
});

describe('the recording', () => {
  it('holds nothing that nobody asks any more', () => {
    expect(recording.unasked()).toEqual([]);
  });
});
