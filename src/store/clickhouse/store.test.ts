import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { openTestStore, type TestStore } from '../../../test/support/store.ts';
import { systemClock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/log.ts';
import { connectionUrl, readConnection, type StoreConnection } from './client.ts';
import { openStore, type Store } from './store.ts';
import { lockDataFolder } from './write/data-lock.ts';

let test: TestStore;
let scratch: string;
beforeAll(async () => {
  test = await openTestStore();
  scratch = await mkdtemp(join(tmpdir(), 'mintscope-open-'));
});
afterAll(async () => {
  await test.close();
  await rm(scratch, { recursive: true, force: true });
});

function open(options: { readonly url?: string; readonly dataDir: string }): Promise<Store> {
  return openStore({ url: options.url, dataDir: options.dataDir, log: silentLogger, clock: systemClock });
}

function urlOf(connection: StoreConnection, database: string): string {
  return connectionUrl({ ...connection, database });
}

describe('opening the store', () => {
  it('refuses a second process on the same data folder, by a code', async () => {
    await expect(open({ dataDir: test.dataDir })).rejects.toMatchObject({ code: 'store_in_use' });
  });

  it('gives the folder to one of many that ask at the same time', async () => {
    const dir = join(scratch, 'contended');
    const results = await Promise.allSettled(Array.from({ length: 8 }, () => lockDataFolder(dir)));
    const locks = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    expect(locks).toHaveLength(1);
    for (const result of results) {
      if (result.status === 'rejected') expect(result.reason).toMatchObject({ code: 'store_in_use' });
    }
    await locks[0]!.release();
    await (await lockDataFolder(dir)).release();
  });

  it('says who holds the folder, and takes it over when that process was killed', async () => {
    const dir = join(scratch, 'killed');
    const script = `
      const { lockDataFolder } = await import(${JSON.stringify(new URL('./write/data-lock.ts', import.meta.url).href)});
      await lockDataFolder(${JSON.stringify(dir)});
      process.stdout.write('held');
      setInterval(() => {}, 1000);`;
    const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
    const holder = spawn(process.execPath, ['--import', loader, '--input-type=module', '--eval', script]);
    await once(holder.stdout, 'data');
    await expect(lockDataFolder(dir)).rejects.toThrow(`another mintscope (process ${holder.pid})`);
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await (await lockDataFolder(dir)).release();
  });

  it('works on a server of yours, whose database it makes, and goes on where it stopped', async () => {
    const url = urlOf(test.store.connection, 'elsewhere');
    const dataDir = join(scratch, 'elsewhere');
    const maker = createFactsMaker({ firstSlot: 50, swapsPerBlock: 2 });
    const first = await open({ url, dataDir });
    await first.writer.flush([maker.nextBatch(), maker.nextBatch()]);
    await first.close();
    const second = await open({ url, dataDir });
    expect(second.committedSlot).toBe(51);
    expect(second.coverage).toEqual([{ first: 50, last: 51 }]);
    await second.writer.flush([maker.nextBatch()]);
    expect(second.committedSlot).toBe(52);
    await second.close();
    expect(test.store.committedSlot).toBe(0);
  });

  it('says what is wrong with a server of yours, without its password', async () => {
    const { connection } = test.store;
    const faults = {
      [connectionUrl({ ...connection, password: 'hunter2' })]: 'Authentication failed',
      'http://me:hunter2@127.0.0.1:9': 'ECONNREFUSED',
      'http://me:hunter2@127.0.0.1:9/no-name': 'no-name is no name for a database',
    };
    for (const [url, reason] of Object.entries(faults)) {
      const fault: unknown = await open({ url, dataDir: join(scratch, 'nowhere') }).catch((error: unknown) => error);
      expect(fault).toMatchObject({ code: 'server_unusable', message: expect.stringContaining(reason) });
      expect(String(fault)).not.toContain('hunter2');
    }
  });

  it('does not take more flushes once it is closed', async () => {
    const url = urlOf(test.store.connection, 'closed');
    const store = await open({ url, dataDir: join(scratch, 'closed') });
    await store.close();
    await expect(store.writer.flush([createFactsMaker().nextBatch()])).rejects.toMatchObject({ code: 'store_closed' });
  });

  it('reads user, password and database out of a URL', () => {
    expect(readConnection('https://me:p%40ss@host:8443/facts')).toEqual({
      url: 'https://host:8443',
      username: 'me',
      password: 'p@ss',
      database: 'facts',
      headers: {},
    });
    expect(readConnection('http://host:8123')).toMatchObject({
      username: 'default',
      password: '',
      database: 'mintscope',
    });
  });

  it('reads headers for what stands in front, and writes a URL that reads the same', () => {
    const url = 'https://me:p%40ss@host:8443/facts?http_header_X-Gate=a%26b%3Dc+d&http_header_X-Other=%2F';
    const connection = readConnection(url);
    expect(connection.headers).toEqual({ 'X-Gate': 'a&b=c d', 'X-Other': '/' });
    expect(connection.url).toBe('https://host:8443');
    expect(readConnection(connectionUrl(connection))).toEqual(connection);
  });
});
