import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request as httpRequest } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createFactsMaker } from '../../../test/support/block-facts.ts';
import { type ClickHouseServer, startClickHouseServer } from '../../../test/support/clickhouse-server.ts';
import { extent } from '../../../test/support/extent.ts';
import { streamOf } from '../../../test/support/random.ts';
import { readChain } from '../../chain/clusters.ts';
import { systemClock } from '../../kernel/clock.ts';
import { silentLogger } from '../../kernel/log.ts';
import { connectionUrl, createStoreClient, runStatement, type StoreClient } from './client.ts';
import { createSweep } from './derived/sweep.ts';
import { SWEPT_TABLES } from './derived/swept-tables.ts';
import { readRetention } from './retention.ts';
import { openStore } from './store.ts';
import { verifyStore } from './verify/verify.ts';
import { createDiskGuard, readServerDisks } from './write/disk-guard.ts';

const chain = { id: readChain('mainnet')!, knownBy: 'the test', simulatedStart: 460_000_000 };
const tls = (name: string) => fileURLToPath(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url));

/** Users who lack one of the documented rights each, on a database of their own. */
const LACKING = rightsOf(documentedGrants()).map((lacked, index, rights) => ({
  lacked,
  user: `lacking_${index}`,
  grants: rights
    .filter((right) => right !== lacked)
    .map((right) => right.replace(/ mintscope[.]/, ` lacking_${index}.`)),
}));

let server: ClickHouseServer;
let admin: StoreClient;
let scratch: string;
beforeAll(async () => {
  server = await startClickHouseServer(
    documentedGrants(),
    Object.fromEntries(LACKING.map(({ user, grants }) => [user, grants])),
  );
  admin = createStoreClient(server.admin);
  scratch = await mkdtemp(join(tmpdir(), 'mintscope-limited-'));
  await runStatement(admin, 'CREATE DATABASE mintscope');
});
afterAll(async () => {
  await admin.close();
  await server.stop();
  await rm(scratch, { recursive: true, force: true });
});

/** Grants that docs/storage.md tells an administrator to give. */
function documentedGrants(): readonly string[] {
  const text = readFileSync(new URL('../../../docs/storage.md', import.meta.url), 'utf8');
  const grants = [...text.matchAll(/^(GRANT .+) TO mintscope;$/gm)].map(([, grant]) => grant!);
  expect(grants.length).toBeGreaterThan(3);
  return grants;
}

/** One right each: a GRANT may name several. */
function rightsOf(grants: readonly string[]): readonly string[] {
  return grants.flatMap((grant) => {
    const [, rights = '', place = ''] = /^GRANT (.+?)( ON [a-z]\S*)?$/.exec(grant) ?? [];
    return rights.split(', ').map((right) => `GRANT ${right}${place}`);
  });
}

/** So many neighbours of a list, wherever they begin. */
function someOf<T>(list: readonly T[], count: number): readonly T[] {
  const first = streamOf('rights').below(list.length);
  return [...list, ...list].slice(first, first + count);
}

const asUser = (database: string) => connectionUrl({ ...server.user, database });

/** Everything that the service does to a store beside answering. */
async function live(url: string, caFile?: string): Promise<void> {
  const options = {
    url,
    caFile,
    dataDir: await mkdtemp(join(scratch, 'data-')),
    log: silentLogger,
    clock: systemClock,
  };
  const retention = readRetention('attempts=14d,transfers=30d');
  const store = await openStore({ ...options, chain, retention });
  try {
    const maker = createFactsMaker({ firstSlot: store.committedSlot + 1, swapsPerBlock: 3 });
    await store.writer.flush([maker.nextBatch()]);
    for (const table of SWEPT_TABLES) await (await createSweep(store.client, table)).step();
    await runStatement(store.client, 'DELETE FROM positions WHERE version = 0');
    await runStatement(store.client, 'DELETE FROM partial_slots WHERE slot IN (1)');
    const parts = readFileSync(new URL('../../features/system/stats-tables.sql', import.meta.url), 'utf8');
    expect(await (await store.client.query({ query: parts, format: 'JSONEachRow' })).json()).not.toEqual([]);
    const disk = { dataDir: scratch, client: store.client, minFreeBytes: 1, clock: systemClock, log: silentLogger };
    await createDiskGuard(disk).look();
    // The guard does without; then it knows of our disk alone.
    expect(await readServerDisks(store.client)).not.toEqual([]);
    expect((await verifyStore(store)).doubledSlots).toBe(0);
  } finally {
    await store.close();
  }
}

describe('a ClickHouse of your own', () => {
  it('needs the documented grants and no more: neither a database to make nor a look at others', async () => {
    await live(asUser('mintscope'));
    await live(asUser('mintscope'));
  });

  it.each(someOf(LACKING, extent(3, LACKING.length)))('does not do without $lacked', async ({ user }) => {
    await runStatement(admin, `CREATE DATABASE ${user}`);
    const url = connectionUrl({ ...server.user, username: user, database: user });
    await expect(live(url).then(() => live(url))).rejects.toThrow(/Not enough privileges|ACCESS_DENIED/);
    await runStatement(admin, `DROP DATABASE ${user}`);
  });

  it('is told what to run where the database is not there and may not be made', async () => {
    await expect(live(asUser('elsewhere'))).rejects.toMatchObject({
      code: 'server_unusable',
      message: expect.stringMatching(
        /Run there as an administrator: CREATE DATABASE IF NOT EXISTS elsewhere, .*storage\.md/,
      ),
    });
  });

  describe('behind TLS', () => {
    let proxy: Server;
    let url: URL;
    beforeAll(async () => {
      const behind = new URL(server.admin.url);
      proxy = createServer(
        { cert: readFileSync(tls('server.crt')), key: readFileSync(tls('server.key')) },
        (from, to) => {
          const { method, url: path, headers } = from;
          const onward = httpRequest(new URL(path ?? '/', behind), { method, headers }, (answer) => {
            to.writeHead(answer.statusCode ?? 502, answer.headers);
            answer.pipe(to);
          });
          from.pipe(onward);
        },
      );
      await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
      url = new URL(asUser('mintscope'));
      url.protocol = 'https:';
      url.port = String((proxy.address() as AddressInfo).port);
    });
    afterAll(() => {
      proxy.closeAllConnections();
      proxy.close();
    });

    it('is trusted by the authority that CLICKHOUSE_CA_FILE names, and not without', async () => {
      await expect(live(url.href)).rejects.toMatchObject({
        code: 'server_unusable',
        message: expect.stringContaining('certificate'),
      });
      await live(url.href, tls('server.crt'));
    });

    it('says so when that file cannot be read', async () => {
      await expect(live(url.href, join(scratch, 'none.pem'))).rejects.toThrow(
        'CLICKHOUSE_CA_FILE cannot be read: ENOENT',
      );
    });
  });
});
