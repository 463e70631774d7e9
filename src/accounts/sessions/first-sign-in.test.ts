import { afterEach, describe, expect, it } from 'vitest';
import { ENGINES, type TestAccounts } from '../../../test/support/accounts-engines.ts';
import { randomBetween, randomOf } from '../../../test/support/random.ts';
import { newWallets, type SignInProcess, startSignIn } from '../../../test/support/sign-in.ts';
import { createWallet } from '../../../test/support/wallets.ts';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { MAX_SESSIONS } from './session-store.ts';

const PROCESSES = 3;
const DAY_MS = 24 * 3_600_000;

describe.each(ENGINES)('first sign-ins on $engine, several at once', ({ open }) => {
  const closers: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closers.splice(0).reverse()) await close();
  });

  async function start(clock?: Clock): Promise<{ accounts: TestAccounts; processes: readonly SignInProcess[] }> {
    const accounts = await open();
    closers.push(() => accounts.close());
    const processes: SignInProcess[] = [];
    for (let i = 0; i < PROCESSES; i += 1) {
      const process = await startSignIn(i === 0 ? accounts : await accounts.openAnother(), clock && { clock });
      closers.push(() => process.close());
      processes.push(process);
    }
    return { accounts, processes };
  }

  const someone = (processes: readonly SignInProcess[]): SignInProcess => randomOf(processes);

  async function plansOf({ db }: TestAccounts): Promise<Record<string, number>> {
    const rows = await db.selectFrom('accounts').select('plan').where('wallet', 'is not', null).execute();
    const counts: Record<string, number> = {};
    for (const { plan } of rows) counts[plan] = (counts[plan] ?? 0) + 1;
    return counts;
  }

  it('make one account of one wallet, with one key, one pool and one trial', async () => {
    const { accounts, processes } = await start();
    for (let round = 0; round < 4; round += 1) {
      const wallet = createWallet();
      const address = `198.51.${round}.7`;
      const all = await Promise.all([...processes, ...processes].map((process) => process.enter(wallet, address)));
      expect(new Set(all.map(({ accountId }) => accountId)).size).toBe(1);
      expect(all.filter(({ created }) => created)).toHaveLength(1);
      expect(all.filter(({ firstKey }) => firstKey !== undefined)).toHaveLength(1);
      const { accountId } = all[0]!;
      const { db } = accounts;
      for (const table of ['api_keys', 'pools', 'trials', 'ledger'] as const) {
        const rows = await db.selectFrom(table).select('account_id').where('account_id', '=', accountId).execute();
        expect([table, rows.length]).toEqual([table, 1]);
      }
      const sessions = await db.selectFrom('sessions').select('hash').where('account_id', '=', accountId).execute();
      expect(sessions).toHaveLength(all.length);
    }
  });

  it('keep to as many sessions as an account may have, also when all come at once', async () => {
    const { accounts, processes } = await start();
    const wallet = createWallet();
    await processes[0]?.enter(wallet);
    const all = Array.from({ length: 2 * MAX_SESSIONS }, () => someone(processes));
    const entered = await Promise.all(all.map((process) => process.enter(wallet)));
    expect(new Set(entered.map(({ cookie }) => cookie)).size).toBe(all.length);
    const kept = await accounts.db.selectFrom('sessions').select('hash').execute();
    expect(kept).toHaveLength(MAX_SESSIONS);
  });

  it.each([
    ['IPv4 /24', () => `203.0.113.${randomBetween(0, 255)}`],
    ['IPv6 /48', () => `2001:db8:7:${randomBetween(0, 65_535).toString(16)}::${randomBetween(1, 65_535).toString(16)}`],
  ])('give an %s three trials, however many come', async (_network, address) => {
    const { accounts, processes } = await start();
    const entered = await Promise.all(newWallets(12).map((wallet) => someone(processes).enter(wallet, address())));
    expect(entered.every(({ created }) => created)).toBe(true);
    expect(await plansOf(accounts)).toEqual({ trial: 3, none: 9 });
    const { db } = accounts;
    const pools = await db.selectFrom('pools').select(['account_id', 'balance']).execute();
    const given = pools.filter(({ account_id: id }) => entered.some(({ accountId }) => accountId === id));
    expect(given.map(({ balance }) => balance).sort((a, b) => a - b)).toEqual([
      ...new Array<number>(9).fill(0),
      ...new Array<number>(3).fill(200_000),
    ]);
    const ledger = await db.selectFrom('ledger').select('kind').where('kind', '=', 'trial').execute();
    expect(ledger).toHaveLength(3);
  });

  it('count each network for itself, several at once', async () => {
    const { accounts, processes } = await start();
    const networks = ['203.0.113', '203.0.114', '198.51.100'];
    const asked = networks.flatMap((network) => newWallets(5).map((wallet, i) => [wallet, `${network}.${i}`] as const));
    await Promise.all(asked.map(([wallet, address]) => someone(processes).enter(wallet, address)));
    expect(await plansOf(accounts)).toEqual({ trial: 9, none: 6 });
    const trials = await accounts.db.selectFrom('trials').select('network').execute();
    const perNetwork = networks.map((network) => trials.filter((each) => each.network === `${network}.0/24`).length);
    expect(perNetwork).toEqual([3, 3, 3]);
  });

  it('have no trial of somebody whose address is not known but what all such share', async () => {
    const { accounts, processes } = await start();
    for (const wallet of newWallets(4)) await someone(processes).enter(wallet, '');
    expect(await plansOf(accounts)).toEqual({ trial: 3, none: 1 });
  });

  it('have their network’s trials back after thirty days, and not before', async () => {
    let now = Date.parse('2026-11-21T11:00:00Z');
    const { accounts, processes } = await start({ ...systemClock, now: () => now });
    const [process] = processes as [SignInProcess];
    const enter = async (count: number) => {
      for (const wallet of newWallets(count)) await process.enter(wallet);
      return plansOf(accounts);
    };
    expect(await enter(4)).toEqual({ trial: 3, none: 1 });
    now += 30 * DAY_MS - 1;
    expect(await enter(1)).toEqual({ trial: 3, none: 2 });
    now += 1;
    expect(await enter(4)).toEqual({ trial: 6, none: 3 });
  });
});
