import { systemClock } from '../../../src/kernel/clock.ts';
import { createRandom } from '../../../src/simulator/random.ts';
import type { AccountsDatabase } from '../../../src/store/accounts-db/accounts-db.ts';
import { createWallet, type TestWallet } from '../../support/wallets.ts';
import { TRIAL_CREDITS } from './campaign-plans.ts';
import type { SpendingKey } from './customers.ts';
import type { ServerHandle } from './server-handle.ts';

/** A wallet that signs in for the first time, from one of a network's addresses. */
export interface Newcomer {
  readonly wallet: number;
  readonly network: number;
}

const TIMEOUT_MS = 2_000;
const AGAIN_MS = 50;
const GIVE_UP_MS = 60_000;
/** Trials to a network, by the specification. */
const TRIALS_A_NETWORK = 3;

/** The wallets that sign in during a run. */
export interface Newcomers {
  /**
   * Signs a wallet in, again and again until it is heard that it has: whatever came
   * of the tries before, it has one account then. Gives its first key, which is
   * undefined when the answer that told it was never heard.
   */
  signIn(newcomer: Newcomer): Promise<SpendingKey | undefined>;
  /** Every wallet has one account with one trial, as long as its network had any left. */
  faults(): Promise<string[]>;
}

export function createNewcomers(accounts: Pick<AccountsDatabase, 'db'>, servers: readonly ServerHandle[]): Newcomers {
  const known: (Newcomer & { readonly address: string })[] = [];
  return {
    async signIn(newcomer) {
      const wallet = createWallet(createRandom(`newcomer ${newcomer.wallet}`).bytes(32));
      known.push({ ...newcomer, address: wallet.address });
      const deadline = systemClock.elapsed() + GIVE_UP_MS;
      for (let attempt = newcomer.wallet; systemClock.elapsed() < deadline; attempt += 1) {
        const answering = servers.filter(({ port }) => port !== undefined);
        const port = answering[attempt % answering.length]?.port;
        const signedIn = await tryOnce(port, newcomer, wallet).catch(() => undefined);
        if (signedIn?.first_key !== undefined) return keyOf(accounts, wallet.address, signedIn.first_key);
        if (signedIn !== undefined) return undefined;
        await systemClock.sleep(AGAIN_MS);
      }
      throw new Error(`wallet ${newcomer.wallet} could not sign in`);
    },
    faults: () => trialFaults(accounts, known),
  };
}

interface SignedIn {
  readonly first_key?: string;
}

async function tryOnce(
  port: number | undefined,
  { wallet: number, network }: Newcomer,
  wallet: TestWallet,
): Promise<SignedIn | undefined> {
  if (port === undefined) return undefined;
  const address = `10.${network >> 8}.${network & 255}.${(number % 250) + 1}`;
  const post = async (path: string, body: object): Promise<unknown> => {
    const answer = await fetch(`http://127.0.0.1:${port}/api${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': address },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
    return answer.json();
  };
  const { message } = (await post('/auth/nonce', { wallet: wallet.address })) as { readonly message: string };
  const signature = wallet.sign(message);
  return (await post('/auth/verify', { wallet: wallet.address, message, signature })) as SignedIn;
}

/** The key that a newcomer spends with. */
async function keyOf({ db }: Pick<AccountsDatabase, 'db'>, address: string, text: string): Promise<SpendingKey> {
  const row = await db
    .selectFrom('accounts')
    .innerJoin('api_keys', 'api_keys.account_id', 'accounts.id')
    .innerJoin('pools', 'pools.account_id', 'accounts.id')
    .select(['accounts.id as accountId', 'api_keys.id as keyId', 'pools.id as poolId'])
    .where('accounts.wallet', '=', address)
    .executeTakeFirstOrThrow();
  return { ...row, customer: undefined, text };
}

async function trialFaults(
  { db }: Pick<AccountsDatabase, 'db'>,
  newcomers: readonly (Newcomer & { readonly address: string })[],
): Promise<string[]> {
  const faults: string[] = [];
  const trials = new Map<number, number>();
  const counts = new Map<number, number>();
  for (const { wallet, network, address } of newcomers) {
    const entries = await db
      .selectFrom('accounts')
      .leftJoin('ledger', (join) => join.onRef('ledger.account_id', '=', 'accounts.id').on('kind', '=', 'trial'))
      .select('ledger.amount')
      .where('accounts.wallet', '=', address)
      .execute();
    if (entries.length !== 1) faults.push(`wallet ${wallet} has ${entries.length} accounts or trials`);
    const granted = entries.reduce((sum, { amount }) => sum + (amount ?? 0), 0);
    if (granted !== 0 && granted !== TRIAL_CREDITS) faults.push(`wallet ${wallet} was given ${granted} trial credits`);
    counts.set(network, (counts.get(network) ?? 0) + 1);
    if (granted > 0) trials.set(network, (trials.get(network) ?? 0) + 1);
  }
  for (const [network, count] of counts) {
    const [given, right] = [trials.get(network) ?? 0, Math.min(TRIALS_A_NETWORK, count)];
    if (given !== right) faults.push(`network ${network} was given ${given} trials, where ${right} are right`);
  }
  return faults;
}
