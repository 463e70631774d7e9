import { rounded } from '../run/statistics.ts';
import type { AccountWork } from './service.ts';
import { type Round, ratioOfRates, summed, timeRound } from './timed.ts';
import { makeWallet } from './wallet.ts';

export interface AccountLoad {
  readonly accounts: number;
  /** The first one comes with the account. */
  readonly keysOfEach: number;
  readonly rounds: number;
  /** Calls under way at once. */
  readonly callers: number;
}

interface Both {
  readonly service: AccountWork;
  readonly bare: AccountWork;
}
type Side = keyof Both;
const WORKS = ['sign_in', 'key_create', 'key_look_up', 'balance'] as const;
type Work = (typeof WORKS)[number];

/**
 * Fills both databases in rounds that take turns, so that both grow alike, and
 * measures what is done on the way: every account signs in, gets its keys, every
 * key is looked up once by a process that does not know it, every balance is asked.
 */
export async function measureWorks(both: Both, load: AccountLoad): Promise<Readonly<Record<string, number>>> {
  const rounds = new Map<string, Round[]>();
  for (let round = 0; round < load.rounds; round++) {
    const first = Math.floor((load.accounts * round) / load.rounds);
    const last = Math.floor((load.accounts * (round + 1)) / load.rounds);
    const wallets = Array.from({ length: last - first }, (_, index) => makeWallet(first + index));
    const order: readonly Side[] = round % 2 === 0 ? ['service', 'bare'] : ['bare', 'service'];
    for (const side of order) {
      for (const [work, timed] of await fillOnce(both[side], wallets, load)) {
        const name = `${side} ${work}`;
        rounds.set(name, [...(rounds.get(name) ?? []), timed]);
      }
    }
  }
  return Object.fromEntries(
    WORKS.flatMap((work) => figures(work, rounds.get(`service ${work}`) ?? [], rounds.get(`bare ${work}`) ?? [])),
  );
}

async function fillOnce(
  does: AccountWork,
  wallets: readonly ReturnType<typeof makeWallet>[],
  { keysOfEach, callers }: AccountLoad,
): Promise<ReadonlyMap<Work, Round>> {
  const accounts: number[] = [];
  const keys: string[] = [];
  const signIn = await timeRound(wallets, callers, async (wallet) => {
    const { accountId, firstKey } = await does.signIn(wallet);
    accounts.push(accountId);
    keys.push(firstKey);
  });
  const more = Array.from({ length: keysOfEach - 1 }, () => accounts).flat();
  const create = await timeRound(more, callers, async (accountId) => keys.push(await does.createKey(accountId)));
  const lookUp = await timeRound(keys, callers, (key) => does.findKey(key));
  const balance = await timeRound(accounts, callers, (accountId) => does.balance(accountId));
  return new Map([
    ['sign_in', signIn],
    ['key_create', create],
    ['key_look_up', lookUp],
    ['balance', balance],
  ]);
}

function figures(work: Work, ours: readonly Round[], theirs: readonly Round[]): readonly (readonly [string, number])[] {
  const { perSecond, p50Ms, p99Ms } = summed(ours);
  const bare = summed(theirs);
  return [
    [`${work}_ratio`, rounded(ratioOfRates(ours, theirs), 3)],
    [`${work}_per_second`, Math.round(perSecond)],
    [`${work}_p50_ms`, rounded(p50Ms, 3)],
    [`${work}_p99_ms`, rounded(p99Ms, 3)],
    [`${work}_bare_per_second`, Math.round(bare.perSecond)],
    [`${work}_bare_p50_ms`, rounded(bare.p50Ms, 3)],
    [`${work}_bare_p99_ms`, rounded(bare.p99Ms, 3)],
  ];
}
