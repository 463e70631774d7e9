import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { extent } from '../../../test/support/extent.ts';
import { createHandClock } from '../../../test/support/hand-clock.ts';
import { type ListCall, listCalls } from '../../../test/support/list-calls.ts';
import { createListModel } from '../../../test/support/list-model.ts';
import { addOwner, randomWallets } from '../../../test/support/list-owners.ts';
import { ApiError } from '../../contract/errors.ts';
import type { Stream } from './contract-shapes.ts';
import type { ListOwner } from './list-owner.ts';
import { createLists, type ListAnswers } from './lists.ts';

const STREAM_LIMIT = 3;

describe.each(ENGINES)('lists of two owners on $engine', ({ open }) => {
  let accounts: TestAccounts;
  const clock = createHandClock(Date.UTC(2026, 7, 1, 10));
  beforeAll(async () => {
    accounts = await open();
  });
  afterAll(() => accounts.close());

  it('are what plain maps would be, call by call, and nothing of one is ever seen by the other', async () => {
    const streamLimit = () => STREAM_LIMIT;
    const secrets = await accounts.secrets();
    const lists = createLists({ ...accounts, clock, changes: { tell() {} }, secrets, streamLimit });
    const wallets = randomWallets(5);
    const calls = fc.array(fc.tuple(fc.constantFrom(0, 1), listCalls(wallets)), {
      minLength: 20,
      maxLength: 120,
      size: 'max',
    });
    await fc.assert(
      fc.asyncProperty(calls, async (sequence) => {
        const owners = [await addOwner(accounts), await addOwner(accounts)];
        const stored = createSubject(lists, owners);
        const modelled = createSubject(createListModel(clock, STREAM_LIMIT), owners);
        for (const [who, call] of sequence) {
          await clock.advance(1);
          const answers = [await stored(who, call), await modelled(who, call)];
          expect([call.text, answers[0]]).toEqual([call.text, answers[1]]);
        }
        for (const call of WHOLE) {
          for (const who of [0, 1]) expect([who, await stored(who, call)]).toEqual([who, await modelled(who, call)]);
        }
      }),
      { numRuns: extent(15, 40) },
    );
  });
});

/** Everything that an owner can see. */
const WHOLE: readonly ListCall[] = [
  { text: 'list groups', make: ({ groups }, owner) => groups.list(owner, true) },
  { text: 'list favorites', make: ({ favorites }, owner) => favorites.list(owner) },
  { text: 'list streams', make: ({ streams }, owner) => streams.list(owner) },
];

/** Makes calls, and tells what came of them without what no two worlds agree on: ids and tokens of streams. */
function createSubject(lists: ListAnswers, owners: readonly ListOwner[]) {
  const made: number[] = [];

  function plain(answer: unknown): unknown {
    if (Array.isArray(answer)) return answer.map(plain);
    if (!isStream(answer)) return answer;
    if (!made.includes(answer.id)) made.push(answer.id);
    return { ...answer, id: made.indexOf(answer.id), token: typeof answer.token };
  }

  return async (who: number, call: ListCall): Promise<unknown> => {
    try {
      return plain(await call.make(lists, owners[who] as ListOwner, made));
    } catch (error) {
      if (error instanceof ApiError) return { refused: error.code };
      throw error;
    }
  };
}

function isStream(answer: unknown): answer is Stream {
  return typeof answer === 'object' && answer !== null && 'token' in answer;
}
