import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BASE_PATH } from '../../src/contract/headers.ts';
import type { RouteContract } from '../../src/contract/route.ts';
import { ROUTES } from '../../src/routes.ts';
import { ACCOUNT_QUESTIONS, AUTH_QUESTIONS } from './account-questions.ts';
import { createAnswerCheck } from './answer-check.ts';
import { DISCOVERY_QUESTIONS } from './discovery-questions.ts';
import { createPerson } from './golden-people.ts';
import { type GoldenWorld, openGoldenWorld } from './golden-world.ts';
import { LIST_QUESTIONS } from './list-questions.ts';
import type { Script, Scripts } from './questions.ts';
import { firstDifference, openRecording, recordedFiles } from './recording.ts';
import { OUTSIDE_QUESTIONS, SYSTEM_QUESTIONS } from './system-questions.ts';
import { openTalk, type Talk, type UsualHeaders, usualHeaders } from './talk.ts';
import { GROWN_QUESTIONS, TOKEN_QUESTIONS } from './token-questions.ts';
import { WIDE_QUESTIONS } from './wide-questions.ts';

/**
 * Compares answers to the byte: those of every route over a chain that is always the same, at a time that stands still,
 * against the recorded ones. A change that is meant is recorded anew:
 *
 *     MINTSCOPE_RECORD=1 npm run recorded
 *
 * and the changes in `recorded/` are looked at like any other change.
 */

const QUESTIONS: Scripts = {
  ...TOKEN_QUESTIONS,
  ...DISCOVERY_QUESTIONS,
  ...SYSTEM_QUESTIONS,
  ...AUTH_QUESTIONS,
  ...ACCOUNT_QUESTIONS,
  ...LIST_QUESTIONS,
};

const FILES = [...new Set(ROUTES.map(({ tag }) => `${tag}.txt`)), 'fed.txt', 'outside.txt'];
/** Those of refusals.test.ts. */
const OTHER_FILES = ['errors.txt', 'problems.txt', 'openapi.txt', 'costs.txt'];
const recording = openRecording(FILES);
const check = createAnswerCheck(ROUTES);
let world: GoldenWorld;
let usual: UsualHeaders;

beforeAll(async () => {
  world = await openGoldenWorld();
  usual = usualHeaders(await world.app.inject(`${BASE_PATH}/health`));
});

afterAll(async () => {
  recording.close();
  await world?.close();
});

function expectRecorded(file: string, section: string, found: string): void {
  const difference = recording.difference(file, section, found);
  if (difference !== undefined) expect.fail(difference);
}

/** Every answer of a talk is as recorded, and what its route declares. */
function expectGood(file: string, section: string, { text, faults }: Talk): void {
  expectRecorded(file, section, text);
  expect(faults).toEqual([]);
}

/** Asks by a script, as somebody who does nothing else. */
async function converse(name: string, script: Script): Promise<Talk> {
  const talk = openTalk(world.app, await createPerson(world.database, world.clock, name), usual, check);
  await script(talk, world);
  return talk;
}

const named = (routes: readonly RouteContract[]) => routes.map((route) => [route.name, route] as const);

describe('every answer is the one that was recorded', () => {
  it('has the usual headers', () => {
    const lines = Object.entries(usual).map(([name, value]) => `${name}: ${value}`);
    expectRecorded('outside.txt', 'usual headers', lines.join('\n'));
  });

  it.each(named(ROUTES))('of %s', async (name, { tag }) => {
    const script = QUESTIONS[name];
    if (script === undefined) expect.fail(`say what ${name} is asked: see questions.ts`);
    const talk = await converse(name, script);
    expectGood(`${tag}.txt`, name, talk);
    expect([...talk.statuses].some((status) => status < 400)).toBe(true);
  });

  it.each(Object.entries(OUTSIDE_QUESTIONS))('%s', async (name, script) => {
    expectGood('outside.txt', name, await converse(name, script));
  });
});

describe('every answer is the one that was recorded, when more blocks have come by the feed', () => {
  beforeAll(() => world.feedMore());

  it.each(Object.entries(GROWN_QUESTIONS))('of %s', async (name, script) => {
    const talk = await converse(`${name}, later`, script);
    expectGood('fed.txt', name, talk);
    expect([...talk.statuses]).toContain(200);
  });
});

describe('every answer is what its route declares, whole', () => {
  it.each(WIDE_QUESTIONS)('of %s in every form that the store has', async (name, script) => {
    const { statuses, faults } = await converse(`${name}, widely`, script);
    expect(faults).toEqual([]);
    expect([...statuses]).toContain(200);
  });

  it('of all routes', () => {
    expect(check.missed()).toEqual([]);
  });
});

describe('the recording', () => {
  it('holds nothing that nobody asks any more', () => {
    expect(recording.unasked()).toEqual([]);
    expect(recordedFiles().filter((file) => ![...FILES, ...OTHER_FILES].includes(file))).toEqual([]);
  });

  it('is told where it differs, and under which question', () => {
    const recorded = '--- one\n200\n{"a":1}\n\n--- two\n200\n{"price":"1.25"}';
    expect(firstDifference('getToken', recorded, recorded)).toBeUndefined();
    expect(firstDifference('getToken', recorded, recorded.replace('1.25', '1.26'))).toContain('getToken --- two');
  });
});
