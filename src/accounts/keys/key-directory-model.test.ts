import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { extent } from '../../../test/support/extent.ts';
import { createHandClock, type HandClock } from '../../../test/support/hand-clock.ts';
import type { KeyState } from '../../contract/states.ts';
import type { KeyPrincipal } from '../../handlers/caller.ts';
import type { AccountChange, EverythingChanged } from '../account-change.ts';
import type { AccountChanges } from '../changes.ts';
import { createApiKey, hashApiKey } from './api-key.ts';
import { createKeyDirectory } from './key-directory.ts';

const KEY = createApiKey(new Uint8Array(32).fill(3));
const PRINCIPAL: KeyPrincipal = {
  id: 3,
  name: 'bot',
  accountId: 5,
  wallet: undefined,
  accountState: 'active',
  plan: 'trial',
  state: 'active',
  rate: { rps: 10, burst: 20 },
  poolId: 8,
};
const WITHIN_MS = 1_000;

/** Events around a directory. Look-ups take less than the wait after which the database counts as away. */
type Step =
  | { readonly kind: 'change'; readonly state: KeyState; readonly told: boolean }
  | { readonly kind: 'poll' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'find'; readonly lookUpMs: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('change' as const),
    state: fc.constantFrom<KeyState>('active', 'suspended', 'revoked'),
    told: fc.boolean(),
  }),
  { arbitrary: fc.record({ kind: fc.constant('poll' as const) }), weight: 2 },
  { arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 1_500 }) }), weight: 3 },
  {
    arbitrary: fc.record({ kind: fc.constant('find' as const), lookUpMs: fc.integer({ min: 0, max: 450 }) }),
    weight: 4,
  },
);

/** A store whose changes are read now and then, and what it said when. */
function createStore(clock: HandClock) {
  const said: { readonly from: number; readonly state: KeyState }[] = [{ from: 0, state: 'active' }];
  const heard = new Set<(change: AccountChange | EverythingChanged) => void>();
  let readAt = Number.NEGATIVE_INFINITY;
  let unread = false;
  const tell = () => {
    for (const each of heard) each({ kind: 'key', accountId: PRINCIPAL.accountId, keyId: PRINCIPAL.id });
  };
  const changes: AccountChanges = {
    get ageMs() {
      return clock.elapsed() - readAt;
    },
    listen(each) {
      heard.add(each);
      return () => heard.delete(each);
    },
  };
  return {
    changes,
    get state(): KeyState {
      return said.at(-1)?.state ?? 'active';
    },
    change(state: KeyState, told: boolean) {
      said.push({ from: clock.elapsed(), state });
      unread = true;
      if (told) tell();
    },
    poll() {
      if (unread) tell();
      unread = false;
      readAt = clock.elapsed();
    },
    /** Every state that it had between two times. */
    statesBetween(from: number, to: number): readonly KeyState[] {
      return said
        .filter((each, i) => each.from <= to && (said[i + 1]?.from ?? Number.POSITIVE_INFINITY) >= from)
        .map(({ state }) => state);
    },
  };
}

describe('key directory, against a store that changes', () => {
  it('never says what was not so within the last second, however slowly it reads and however late it is told', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
        const clock = createHandClock();
        const store = createStore(clock);
        let lookUpMs = 0;
        const directory = createKeyDirectory({
          clock,
          changes: store.changes,
          used: () => undefined,
          development: undefined,
          async lookUp(hash) {
            // As of the moment at which the statement is run; the answer takes its time.
            const stored = {
              principal: { ...PRINCIPAL, state: store.state },
              hash: hashApiKey(KEY),
              lastUsedAt: undefined,
            };
            expect(hash.equals(stored.hash)).toBe(true);
            if (lookUpMs > 0) await clock.sleep(lookUpMs);
            return stored;
          },
        });
        const answers: Promise<void>[] = [];
        for (const each of steps) {
          if (each.kind === 'change') store.change(each.state, each.told);
          else if (each.kind === 'poll') store.poll();
          else if (each.kind === 'wait') await clock.advance(each.ms);
          else {
            lookUpMs = each.lookUpMs;
            answers.push(check(directory.find(KEY), clock, store));
            // Lets its look-up begin.
            await clock.advance(0);
          }
        }
        for (let i = 0; i < 3; i += 1) await clock.advance(1_000);
        await Promise.all(answers);
      }),
      { numRuns: extent(500, 2_000) },
    );
  });
});

/** Expects an answer that was true at some moment from a second before the question on. */
async function check(
  found: KeyPrincipal | undefined | Promise<KeyPrincipal | undefined>,
  clock: HandClock,
  store: ReturnType<typeof createStore>,
): Promise<void> {
  const askedAt = clock.elapsed();
  const principal = await found;
  expect(store.statesBetween(askedAt - WITHIN_MS, clock.elapsed())).toContain(principal?.state);
}
