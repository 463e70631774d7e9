import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { findPostgresBinaries, type PostgresServer, startPostgresServer } from './postgres-server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The URL of a Postgres server for tests, or a socket that answers with one. */
    readonly postgres: { readonly url: string } | { readonly ask: string } | undefined;
  }
}

/** A database for tests, which make schemas of their own in it and drop them. */
const GIVEN_URL = 'MINTSCOPE_TEST_POSTGRES';

/**
 * Vitest's global setup: one Postgres server for a whole run, started when the
 * first test asks for it, so that a run without such a test costs nothing.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const given = process.env[GIVEN_URL];
  if (given !== undefined && given !== '') {
    project.provide('postgres', { url: given });
    return async () => {};
  }
  if (findPostgresBinaries() === undefined) {
    project.provide('postgres', undefined);
    // Behind the results, where it is read: before them it would be far up.
    return async () => {
      process.stderr.write(
        `\nAccounts were tested on SQLite only: there is no ${GIVEN_URL}, and no Postgres server of Debian's (apt-get install postgresql).\n`,
      );
    };
  }
  const dir = await mkdtemp(join(tmpdir(), 'mintscope-postgres-'));
  let server: Promise<PostgresServer> | undefined;
  const desk = createServer((asking) => {
    // A test that was killed while it waited.
    asking.on('error', () => undefined);
    server ??= startPostgresServer({ durable: false });
    server.then(
      ({ url }) => asking.end(JSON.stringify({ url })),
      (error: unknown) => asking.end(JSON.stringify({ fault: String(error) })),
    );
  });
  const ask = join(dir, 'ask');
  await new Promise<void>((resolve) => desk.listen(ask, resolve));
  desk.unref();
  project.provide('postgres', { ask });
  return async () => {
    desk.close();
    await (await server)?.stop();
    await rm(dir, { recursive: true, force: true });
  };
}
