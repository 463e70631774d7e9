import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createStoreClient, runStatement, type StoreConnection } from '../../src/store/clickhouse/client.ts';
import { findEngineLibrary } from '../../src/store/clickhouse/embedded/engine-library.ts';
import { reservePort } from '../../src/store/clickhouse/embedded/reserved-port.ts';
import { SERVE_SCRIPT } from '../../src/store/clickhouse/embedded/server-config.ts';
import { eventually } from './eventually.ts';

/** A ClickHouse as somebody else runs it, on loopback, with an administrator and a user of few rights. */
export interface ClickHouseServer {
  readonly admin: StoreConnection;
  readonly user: StoreConnection;
  stop(): Promise<void>;
}

const ADMIN = 'admin';
const USER = 'mintscope';
const PASSWORD = 'of-both-of-them';

type Grants = readonly string[];

/**
 * `grants` are the user's: `GRANT SELECT ON mintscope.*`. The engine keeps users in files alone, so that more of them, by
 * name, are made here too.
 */
export async function startClickHouseServer(
  grants: Grants,
  others: Readonly<Record<string, Grants>> = {},
): Promise<ClickHouseServer> {
  const dir = await mkdtemp(join(tmpdir(), 'mintscope-clickhouse-'));
  const { port, release } = reservePort();
  await writeFile(join(dir, 'users.xml'), usersXml({ [ADMIN]: ['GRANT ALL ON *.*'], [USER]: grants, ...others }));
  await writeFile(join(dir, 'config.xml'), configXml(dir, port));
  const script = fileURLToPath(new URL('../../src/store/clickhouse/embedded/server-process.mjs', import.meta.url));
  const engine = [`--config-file=${join(dir, 'config.xml')}`, `--path=${join(dir, 'data')}`, `--query=${SERVE_SCRIPT}`];
  const child = spawn(process.execPath, [script, findEngineLibrary()!, ...engine], {
    stdio: ['pipe', 'ignore', 'ignore'],
    env: {},
  });
  const exited = once(child, 'exit');
  const admin = {
    url: `http://127.0.0.1:${port}`,
    username: ADMIN,
    password: PASSWORD,
    database: 'default',
    headers: {},
  };
  const client = createStoreClient(admin);
  await eventually(() => runStatement(client, 'SELECT 1'));
  await client.close();
  return {
    admin,
    user: { ...admin, username: USER, database: 'mintscope' },
    async stop() {
      child.kill('SIGKILL');
      await exited;
      release();
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Rights are asked for system tables too, as servers that are installed from packages do. */
function configXml(dir: string, port: number): string {
  return `<clickhouse>
  <logger><log>${dir}/server.log</log><errorlog>${dir}/server.err.log</errorlog></logger>
  <path>${dir}/data/</path>
  <timezone>UTC</timezone>
  <listen_host>127.0.0.1</listen_host>
  <http_port>${port}</http_port>
  <listen_reuse_port>1</listen_reuse_port>
  <background_pool_size>2</background_pool_size>
  <background_merges_mutations_concurrency_ratio>1</background_merges_mutations_concurrency_ratio>
  <merge_tree>
    <number_of_free_entries_in_pool_to_lower_max_size_of_merge>1</number_of_free_entries_in_pool_to_lower_max_size_of_merge>
    <number_of_free_entries_in_pool_to_execute_mutation>1</number_of_free_entries_in_pool_to_execute_mutation>
    <number_of_free_entries_in_pool_to_execute_optimize_entire_partition>1</number_of_free_entries_in_pool_to_execute_optimize_entire_partition>
  </merge_tree>
  <access_control_improvements>
    <select_from_system_db_requires_grant>true</select_from_system_db_requires_grant>
    <select_from_information_schema_requires_grant>true</select_from_information_schema_requires_grant>
  </access_control_improvements>
  <user_directories><users_xml><path>${dir}/users.xml</path></users_xml></user_directories>
</clickhouse>
`;
}

function usersXml(people: Readonly<Record<string, Grants>>): string {
  const person = (name: string, granted: Grants) => `<${name}>
    <password>${PASSWORD}</password><networks><ip>127.0.0.1</ip></networks><profile>default</profile><quota>default</quota>
    <grants>${granted.map((grant) => `<query>${grant}</query>`).join('')}</grants></${name}>`;
  return `<clickhouse>
  <profiles><default/></profiles>
  <quotas><default/></quotas>
  <users>
    <default>
      <password></password><profile>default</profile><quota>default</quota>
      <grants><query>GRANT SYSTEM LISTEN ON *.*</query></grants>
    </default>
    ${Object.entries(people)
      .map(([name, granted]) => person(name, granted))
      .join('\n    ')}
  </users>
</clickhouse>
`;
}
