import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  findPostgresBinaries,
  type PostgresServer,
  startPostgresServer,
} from '../../../test/support/postgres-server.ts';
import { systemClock } from '../../kernel/clock.ts';
import { openAccountsDatabase } from './accounts-db.ts';

const file = (name: string) => fileURLToPath(new URL(`../../../test/fixtures/tls/${name}`, import.meta.url));
const AUTHORITY = `sslrootcert=${encodeURIComponent(file('server.crt'))}`;

describe.skipIf(findPostgresBinaries() === undefined)('TLS on postgres', () => {
  let server: PostgresServer;
  beforeAll(async () => {
    const tls = {
      certificate: readFileSync(file('server.crt'), 'utf8'),
      key: readFileSync(file('server.key'), 'utf8'),
    };
    server = await startPostgresServer({ durable: false, tls });
  });
  afterAll(() => server.stop());

  /** True when the server says that the connection is encrypted. */
  async function isEncrypted(words: string): Promise<boolean | undefined> {
    const url = new URL(server.url);
    url.search = words;
    const accounts = await openAccountsDatabase({ url: url.href, path: 'unused', clock: systemClock });
    const asked = sql<{ ssl: boolean }>`SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`.execute(accounts.db);
    return (await asked.finally(() => accounts.close())).rows[0]?.ssl;
  }

  it('is as the URL says', async () => {
    expect(await isEncrypted('')).toBe(false);
    expect(await isEncrypted('sslmode=disable')).toBe(false);
    expect(await isEncrypted(`sslmode=verify-full&${AUTHORITY}`)).toBe(true);
    expect(await isEncrypted('sslmode=no-verify')).toBe(true);
  });

  it('refuses a certificate of an authority that nobody named, and goes on with none', async () => {
    await expect(isEncrypted('sslmode=verify-full')).rejects.toMatchObject({
      code: 'accounts_unavailable',
      message: expect.stringContaining('certificate'),
    });
  });
});
