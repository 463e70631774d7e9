import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestStore, type TestStore } from '../../../../test/support/store.ts';
import { readJson } from '../client.ts';
import { isQuestionFault, isRowsFault, QUESTION_FAULTS } from './question-faults.ts';

let test: TestStore;
beforeAll(async () => {
  test = await openTestStore();
});
afterAll(() => test.close());

const said = (query: string) => readJson(test.store.client, query).catch((error: unknown) => error);

describe('what is wrong with a question itself', () => {
  it('has the numbers and names of the engine', async () => {
    const codes = [...QUESTION_FAULTS.keys()];
    const [row] = await readJson<{ names: string[] }>(
      test.store.client,
      `SELECT arrayMap(code -> errorCodeToName(code), [${codes.join(', ')}]) AS names`,
    );
    expect(row?.names).toEqual([...QUESTION_FAULTS.values()]);
  });

  it.each([
    'SELEC 1',
    'SELECT no_such_column FROM coverage',
    'SELECT noSuchFunction(1)',
    "SELECT 1 + 'a'",
    'SELECT {absent:UInt32}',
    'SELECT throwIf(1)',
    'SELECT 1 SETTINGS no_such_setting = 1',
  ])('is told of %s', async (query) => {
    expect(isQuestionFault(await said(query))).toBe(true);
  });

  it('is what is wrong with rows too, and rows that end too soon are wrong', () => {
    const fault = (code: string) => Object.assign(new Error('no'), { code });
    expect(['6', '117', '33'].map((code) => isRowsFault(fault(code)))).toEqual([true, true, true]);
    expect(isQuestionFault(fault('33'))).toBe(false);
    expect(['60', '497', '241'].map((code) => isRowsFault(fault(code)))).toEqual([false, false, false]);
  });

  it('is nothing that time mends', async () => {
    expect(isQuestionFault(await said('SELECT 1 FROM no_such_table'))).toBe(false);
    expect(isQuestionFault(await said('SELECT sleep(1) SETTINGS max_execution_time = 0.1'))).toBe(false);
    expect(isQuestionFault(new Error('socket hang up'))).toBe(false);
  });
});
