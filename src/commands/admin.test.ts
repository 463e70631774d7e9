import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DatabasePlace, ENGINES } from '../../test/support/accounts-engines.ts';
import { useCommandLine, wordsOf } from '../../test/support/command-line.ts';
import { eventually } from '../../test/support/eventually.ts';
import { createAccountChanges } from '../accounts/changes.ts';
import { hashApiKey } from '../accounts/keys/api-key.ts';
import { createKeyDirectory } from '../accounts/keys/key-directory.ts';
import { findStoredKey } from '../accounts/keys/stored-keys.ts';
import { DEFAULT_PLANS } from '../accounts/plans.ts';
import { refusalOf } from '../accounts/states.ts';
import { systemClock } from '../kernel/clock.ts';
import { silentLogger } from '../kernel/log.ts';
import { openAccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import { ADMIN_ACTIONS, admin } from './admin.ts';

const WALLET = '9JYALPFZgzfD7w9HvXypnYTTTSEL2NXLDLFegip6qBE6';

const command = useCommandLine();
/** Runs `mintscope admin …` as the shell would see it. */
const run = (line: string) => command('admin', ...wordsOf(line));

beforeEach(() => {
  vi.stubEnv('MINTSCOPE_DATA_DIR', '/nowhere');
});
/** The printed fields that these tests look at. */
interface Printed {
  readonly account_id: number;
  readonly id: number;
  readonly key: string;
}

/** Runs a command that must succeed, and returns its printed answer. */
async function ask<T = Printed>(line: string): Promise<T> {
  const answer = await run(line);
  expect(answer, line).toMatchObject({ err: '', code: 0 });
  return JSON.parse(answer.out) as T;
}

describe('admin', () => {
  it('says in its usage what docs/accounts.md says', () => {
    const docs = readFileSync(new URL('../../docs/accounts.md', import.meta.url), 'utf8');
    const section = docs.slice(docs.indexOf("## The operator's commands"));
    const documented = [...section.matchAll(/^\| `mintscope admin ([^`]+)` \|/gm)].map(([, form]) => form);
    expect(documented).toEqual(ADMIN_ACTIONS.map(({ form }) => form.replaceAll('|', '\\|')));
    for (const { form, help } of ADMIN_ACTIONS) expect(admin.usage).toContain(`  ${form}\n      ${help}\n`);
  });
});

describe.each(ENGINES)('admin on $engine', ({ place }) => {
  let database: DatabasePlace;

  beforeEach(async () => {
    database = await place();
    vi.stubEnv('DATABASE_URL', database.url);
  });
  afterEach(() => database.remove());

  it('makes an account, changes it and shows it', async () => {
    const made = await ask(`account create --wallet ${WALLET} --plan basic`);
    expect(made).toMatchObject({ wallet: WALLET, plan: 'basic', state: 'active' });
    const { account_id: id } = made;
    expect(await ask('account list')).toMatchObject([made]);
    expect(await ask(`account suspend ${WALLET}`)).toMatchObject({ account_id: id, state: 'suspended' });
    expect(await ask(`account ban ${id}`)).toMatchObject({ state: 'banned' });
    expect(await ask(`account activate ${id}`)).toMatchObject({ state: 'active' });
    expect(await ask(`account plan ${id} pro`)).toMatchObject({ plan: 'pro' });
    expect(await ask(`credits grant ${id} 10 --reference a-gift`)).toMatchObject({ granted: true });
    expect(await ask(`credits grant ${id} 10 --reference a-gift`)).toMatchObject({ granted: false });
    expect(await ask(`credits correct ${id} --take 1000000`)).toMatchObject({ applied: -1_000_000 });
    expect(await ask(`credits correct ${id} --add 5`)).toMatchObject({ applied: 5, pools: [{ balance: 4_000_015 }] });
    expect(await ask(`credits show ${id}`)).toMatchObject({ pools: [{ balance: 4_000_015 }] });
    const shown = await ask(`account show ${id}`);
    expect(shown).toMatchObject({ plan: 'pro', keys: [], streams: 0, pools: [{ balance: 4_000_015, leased: 0 }] });
    const audit = await ask<{ readonly id: number; readonly action: string }[]>(`audit ${id} --limit 4`);
    expect(audit.map(({ action }) => action)).toEqual([
      'credits.correct',
      'credits.correct',
      'credits.grant',
      'credits.grant',
    ]);
    expect(await ask(`audit ${WALLET} --before ${audit.at(-1)?.id} --limit 1`)).toMatchObject([
      { actor: 'operator', action: 'account.plan', details: { from: 'basic', to: 'pro' } },
    ]);
  });

  it('makes keys of the operator and of accounts, and does everything to them', async () => {
    await ask(`account create --wallet ${WALLET} --plan basic --not-ready`);
    const own = await ask('key create --name mine');
    const theirs = await ask(`key create --name theirs --account ${WALLET} --budget 500 --rps 2 --burst 3`);
    expect(theirs).toMatchObject({ pool: 'dedicated', budget: 500, rate_limit: { rps: 2, burst: 3 } });
    const listed = await run('key list');
    expect(listed.out).not.toContain(own.key);
    expect(JSON.parse(listed.out)).toMatchObject([
      { id: own.id, name: 'mine' },
      { id: theirs.id, name: 'theirs' },
    ]);
    expect(await ask('key list --account operator')).toMatchObject([{ name: 'mine' }]);
    expect(await ask(`key list --account ${WALLET}`)).toMatchObject([{ name: 'theirs' }]);
    expect(await ask(`key list --after ${own.id} --limit 1`)).toMatchObject([{ name: 'theirs' }]);
    const more = await ask(`key create --name more --account ${WALLET}`);
    expect(await ask(`key list --account ${WALLET} --limit 1`)).toMatchObject([{ name: 'theirs' }]);
    expect(await ask(`key list --account ${WALLET} --after ${theirs.id}`)).toMatchObject([{ name: 'more' }]);
    await ask(`key revoke ${more.id}`);
    const { id } = theirs;
    expect(await ask(`key suspend ${id}`)).toMatchObject({ state: 'suspended' });
    expect(await ask(`key activate ${id}`)).toMatchObject({ state: 'active' });
    const rotated = await ask(`key rotate ${id}`);
    expect(rotated.key).not.toBe(theirs.key);
    expect(await ask(`key revoke ${id}`)).toEqual({ ok: true });
    expect(await ask(`credits show ${WALLET}`)).toMatchObject({ pools: [{ balance: 1_000_000 }, { balance: 0 }] });
    for (const verb of ['revoke', 'rotate', 'suspend', 'activate']) {
      expect(await run(`key ${verb} ${id}`)).toMatchObject({
        err: `mintscope: there is no key ${id}, or it is revoked\n`,
        code: 2,
      });
    }
  });

  it('is obeyed by a process that serves', async () => {
    const own = await ask('key create --name mine');
    const accounts = await openAccountsDatabase({ url: database.url, path: 'unused', clock: systemClock });
    const changes = createAccountChanges(accounts.db, systemClock, silentLogger);
    const directory = createKeyDirectory({
      clock: systemClock,
      changes,
      lookUp: (hash) => findStoredKey(accounts.db, DEFAULT_PLANS, hash),
      used: () => undefined,
      development: undefined,
    });
    const isRefused = async () => {
      const principal = await directory.find(own.key);
      return principal === undefined ? 'unknown' : refusalOf(principal);
    };
    await eventually(() => expect(changes.ageMs).toBeLessThan(Number.POSITIVE_INFINITY));
    expect(await isRefused()).toBeUndefined();
    for (const [verb, refusal] of [
      ['suspend', 'api_key_suspended'],
      ['activate', undefined],
      ['revoke', 'api_key_revoked'],
    ] as const) {
      await ask(`key ${verb} ${own.id}`);
      await eventually(async () => expect(await isRefused()).toBe(refusal));
    }
    await changes.close();
    await accounts.close();
  });

  it.each([
    ['account show 99', 'there is no account 99'],
    ['account show nobody', 'an account is named by its id or its wallet; see: mintscope admin account list'],
    [`account suspend ${WALLET}`, `there is no account ${WALLET}`],
    ['account create --wallet x', 'whose account? --wallet <address>, base58 of 32 bytes'],
    [
      `account create --wallet ${WALLET} --plan gold`,
      'there is no plan gold; plans are none, trial, basic, pro, operator',
    ],
    ['account list --limit 0', '--limit must be a whole number from 1 to 1000'],
    ['account list --budget 7', '--budget has no meaning here: account list [--after <id>] [--limit <n>]'],
    ['account plan 7', 'usage: mintscope admin account plan <account> <plan>'],
    ['key create --name mine --budget many', '--budget must be a whole number from 1 to 1000000000000'],
    ['key create --name mine --rps 5', '--rps and --burst go together'],
    ['key create', 'a key needs a name of 1 to 64 characters, none of them for control: --name <name>'],
    [
      'key create --name \u001b[2Jmine',
      'a key needs a name of 1 to 64 characters, none of them for control: --name <name>',
    ],
    ['key revoke mine', 'which key? see: mintscope admin key list'],
    [`key revoke ${'9'.repeat(30)}`, `there is no key ${'9'.repeat(30)}, or it is revoked`],
    ['credits grant 1 -5', undefined],
    ['credits grant 1 0', 'credits must be a whole number from 1 to 1000000000000'],
    ['credits correct 1', 'by how much? --add <credits> or --take <credits>'],
    ['credits correct 1 --add 1 --take 1', 'by how much? --add <credits> or --take <credits>'],
    ['audit', 'usage: mintscope admin audit <account> [--before <id>] [--limit <n>]'],
  ])('refuses %s with a sentence and code 2', async (line, sentence) => {
    const answer = await run(line);
    expect(answer).toMatchObject({ out: '', code: 2 });
    if (sentence !== undefined) expect(answer.err).toBe(`mintscope: ${sentence}\n`);
    expect(answer.err).not.toContain('    at ');
  });

  it('leaves the operator’s own account as it is', async () => {
    await ask('key create --name mine');
    for (const line of ['account suspend operator', 'account ban operator', 'account plan operator basic']) {
      expect(await run(line)).toMatchObject({
        out: '',
        code: 2,
        err: expect.stringContaining('your own account') as string,
      });
    }
    expect(await ask('account show operator')).toMatchObject({ state: 'active', plan: 'operator' });
  });

  it('tells what the account cannot have, in a sentence', async () => {
    await ask(`account create --wallet ${WALLET}`);
    for (let i = 0; i < 10; i += 1) await ask(`key create --name k${i} --account ${WALLET}`);
    expect(await run(`key create --name k --account ${WALLET}`)).toMatchObject({
      out: '',
      err: 'mintscope: the account has as many keys as it may have\n',
      code: 1,
    });
  });

  it('renews secrets under a key in the data folder', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'mintscope-admin-'));
    vi.stubEnv('MINTSCOPE_DATA_DIR', dir);
    const renewed = await ask<{ readonly key_id: string }>('secrets renew');
    expect(renewed).toEqual({ key_id: expect.any(String), kept_in: join(dir, 'secrets.key'), streams: 0 });
    expect(readdirSync(dir)).toEqual(['secrets.key']);
    expect(JSON.stringify(renewed)).not.toContain(readFileSync(join(dir, 'secrets.key'), 'utf8').trim());
    rmSync(dir, { recursive: true });
  });

  it('never writes a key down anywhere but where it shows it', async () => {
    const { key } = await ask('key create --name mine');
    expect(JSON.stringify(await ask('audit operator'))).not.toContain(key.slice(12, 40));
    expect(hashApiKey(key)).toHaveLength(32);
  });
});
