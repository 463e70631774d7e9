import { mkdir, mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { useCommandLine, wordsOf } from '../test/support/command-line.ts';
import { someAddress } from '../test/support/transaction-builder.ts';
import type { Address } from './chain/address.ts';
import { createTipCandidates } from './ingest/report/tip-candidates.ts';
import { keepCandidates } from './ingest/report/tip-candidates-file.ts';
import { systemClock } from './kernel/clock.ts';
import { createDescriptors } from './kernel/descriptors.ts';
import { silentLogger } from './kernel/log.ts';
import { lockDataFolder } from './store/clickhouse/write/data-lock.ts';

let dir = '';
const run = useCommandLine();
/** Runs a command line as the shell would see it. */
const mintscope = (line: string) => run(...wordsOf(line));

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'mintscope-commands-'));
  vi.stubEnv('MINTSCOPE_DATA_DIR', join(dir, 'data'));
  vi.stubEnv('MINTSCOPE_LOG_LEVEL', 'silent');
});
afterEach(async () => {
  await rm(dir, { recursive: true, force: true });
});

describe('the command line', () => {
  it.each(['--help', '-h', 'help'])('lists the commands for %s', async (word) => {
    const { out, code } = await mintscope(word);
    expect(code).toBe(0);
    for (const name of ['serve', 'backfill', 'verify', 'capture', 'candidates', 'admin'])
      expect(out).toContain(`  ${name} `);
  });

  it.each(['serve', 'backfill', 'verify', 'capture', 'candidates', 'admin'])(
    'explains %s, whatever the configuration is like, and does nothing else',
    async (name) => {
      vi.stubEnv('MINTSCOPE_PORT', 'nonsense');
      const { out, err, code } = await mintscope(`${name} --help`);
      expect({ err, code }).toEqual({ err: '', code: 0 });
      expect(out).toContain(`usage: mintscope ${name}`);
      await expect(stat(join(dir, 'data'))).rejects.toThrow('ENOENT');
    },
  );

  it.each(['frobnicate', 'toString', '--port', 'serve now', 'verify --all', 'capture --blocks', 'backfill 1 2'])(
    'refuses %s with a sentence and code 2',
    async (line) => {
      const { out, err, code } = await mintscope(line);
      expect({ out, code }).toEqual({ out: '', code: 2 });
      expect(err).not.toContain('    at ');
      await expect(stat(join(dir, 'data'))).rejects.toThrow('ENOENT');
    },
  );

  it('reports every fault of the configuration at once', async () => {
    vi.stubEnv('MINTSCOPE_PORT', '70000');
    vi.stubEnv('MINTSCOPE_SOURCE', 'carrier-pigeon');
    const { err, code } = await mintscope('serve');
    expect(code).toBe(2);
    expect(err).toContain('MINTSCOPE_PORT');
    expect(err).toContain('MINTSCOPE_SOURCE');
  });

  it('does not work on a data folder that another process holds', async () => {
    const lock = await lockDataFolder(join(dir, 'data'));
    const { err, code } = await mintscope('verify');
    expect(code).toBe(1);
    expect(err).toMatch(/^mintscope: another mintscope \(process \d+\) works on the data folder [^\n]+\n$/);
    await lock.release();
  });
});

describe('candidates', () => {
  it('says nothing of a folder in which nobody was watched, and lists who was', async () => {
    const folder = join(dir, 'data');
    await mkdir(folder, { recursive: true });
    expect(await mintscope('candidates')).toMatchObject({ out: '{\n  "data": []\n}\n', err: '', code: 0 });
    const all = createTipCandidates();
    const [payers, mints] = [30, 8].map((count) => Array.from({ length: count }, () => someAddress()));
    const wallets = [someAddress(), someAddress()] as const;
    const payment = (wallet: Address, n: number) => ({ wallet, payer: payers![n % 30]!, mint: mints![n % 8]! });
    const paid = (wallet: Address, times: number) =>
      Array.from({ length: times }, (_, n) => ({ ...payment(wallet, n), lamports: 1_000_000n }));
    all.add(7, [...paid(wallets[0], 60), ...paid(wallets[1], 2)]);
    const ended = new AbortController();
    ended.abort();
    const tools = { clock: systemClock, log: silentLogger };
    await keepCandidates(all, { dataDir: folder, ...tools, descriptors: createDescriptors(tools) }, ended.signal);
    const told = JSON.parse((await mintscope('candidates')).out);
    expect(told).toMatchObject({ found: 1, data: [{ wallet: wallets[0], payments: 60, lamports: '60000000' }] });
    expect(JSON.parse((await mintscope('candidates --all --limit 5')).out).data).toHaveLength(2);
    expect((await mintscope('candidates --limit none')).code).toBe(2);
  });
});

describe('capture', () => {
  it('wants a file that a replay would recognise', async () => {
    const { err, code } = await mintscope(`capture --blocks 1 --out ${join(dir, 'a.bin')}`);
    expect(code).toBe(2);
    expect(err).toContain('.blocks');
  });

  it('writes the blocks of the simulated chain', async () => {
    const path = join(dir, 'a.blocks');
    const { err, code } = await mintscope(`capture --blocks 3 --out ${path}`);
    expect({ err, code }).toEqual({ err: `3 blocks in ${path}\n`, code: 0 });
    expect((await stat(path)).size).toBeGreaterThan(0);
  });
});

describe('admin key', () => {
  it('makes a key before the first start, lists it without its secret, and revokes it once', async () => {
    const created = JSON.parse((await mintscope('admin key create --name mine')).out) as { id: number; key: string };
    expect(created.key).toMatch(/^ms_live_/);
    const { mode } = await stat(join(dir, 'data'));
    expect(mode & 0o077).toBe(0);
    const list = await mintscope('admin key list');
    expect(JSON.parse(list.out)).toMatchObject([{ id: created.id, name: 'mine', state: 'active' }]);
    expect(list.out).not.toContain(created.key);
    expect((await mintscope(`admin key revoke ${created.id}`)).code).toBe(0);
    expect(await mintscope(`admin key revoke ${created.id}`)).toMatchObject({
      err: `mintscope: there is no key ${created.id}, or it is revoked\n`,
      code: 2,
    });
  });

  it.each(['admin', 'admin key', 'admin key burn', 'admin key create', 'admin key revoke x', 'admin key list all of'])(
    'refuses %s with code 2',
    async (line) => {
      const { out, code } = await mintscope(line);
      expect({ out, code }).toEqual({ out: '', code: 2 });
    },
  );

  it('says that a number is no key, however long it is', async () => {
    expect((await mintscope(`admin key revoke ${'9'.repeat(30)}`)).code).toBe(2);
  });
});
