import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';

/** A Postgres server in a temporary folder. It ends with this process, even when this process is killed. */
export interface PostgresServer {
  /** Of a database that is empty. Everybody on this machine may use it. */
  readonly url: string;
  stop(): Promise<void>;
}

export interface PostgresServerOptions {
  /** True when a commit waits for the disk, as it does for a user. Tests do without. */
  readonly durable: boolean;
  /** Listens on a port of this machine as well, with this certificate, so that TLS can be asked for. */
  readonly tls?: { readonly certificate: string; readonly key: string };
}

/** The owner of a process, as `spawn` takes it. */
interface Owner {
  readonly uid?: number;
  readonly gid?: number;
}

const DEBIAN_FOLDER = '/usr/lib/postgresql';
const USER = 'mintscope';
/** Several processes, several tests at once, a pool each. */
const MAX_CONNECTIONS = 300;
/** A part of the socket's name. */
const SOCKET_PORT = 5432;
const START_TIMEOUT_MS = 60_000;
const PING_EVERY_MS = 50;

/** Runs until its standard input ends, which is when we do, and takes the folder along. */
const GUARD = `
trap '' INT TERM
"$0" "$@" &
server=$!
cat > /dev/null
kill -INT "$server"
wait "$server"
rm -rf "$MINTSCOPE_POSTGRES_DIR"
`;

/** The folder of Debian's newest server binaries, or undefined when none is installed. */
export function findPostgresBinaries(): string | undefined {
  if (!existsSync(DEBIAN_FOLDER)) return undefined;
  return readdirSync(DEBIAN_FOLDER)
    .sort((one, other) => Number(other) - Number(one))
    .map((version) => join(DEBIAN_FOLDER, version, 'bin'))
    .find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

/** Starts a server that listens on a socket in its own folder and, but for TLS, nowhere else. Throws when none is installed. */
export async function startPostgresServer({ durable, tls }: PostgresServerOptions): Promise<PostgresServer> {
  const binaries = findPostgresBinaries();
  if (binaries === undefined) throw new Error(`there is no Postgres server in ${DEBIAN_FOLDER}`);
  // The path of a socket must be short, so it is not below a longer temporary folder.
  const dir = await mkdtemp(join(tmpdir(), 'mspg-'));
  const owner = serverOwner();
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(dir, owner.uid, owner.gid);
  const data = join(dir, 'data');
  const init = ['-D', data, '-U', USER, '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync', '--no-instructions'];
  await promisify(execFile)(join(binaries, 'initdb'), init, { cwd: dir, ...owner });
  const port = tls === undefined ? SOCKET_PORT : await findFreePort();
  const settings = [
    `unix_socket_directories=${dir}`,
    `max_connections=${MAX_CONNECTIONS}`,
    ...(durable ? [] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
    `port=${port}`,
    ...(tls === undefined ? ['listen_addresses='] : await tlsSettings(dir, owner, tls)),
  ];
  const words = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
  const server = spawn('sh', ['-c', GUARD, join(binaries, 'postgres'), ...words], {
    cwd: dir,
    env: { PATH: process.env.PATH, MINTSCOPE_POSTGRES_DIR: dir },
    stdio: ['pipe', 'ignore', 'pipe'],
    ...owner,
  });
  let log = '';
  server.stderr.setEncoding('utf8').on('data', (text: string) => {
    log = `${log}${text}`.slice(-4_000);
  });
  const ended = once(server, 'exit');
  const url = `postgres://${USER}@localhost:${port}/postgres?host=${encodeURIComponent(dir)}`;
  try {
    await untilItAnswers(url);
  } catch (error) {
    server.stdin.end();
    throw new Error(`Postgres does not start: ${log}`, { cause: error });
  }
  // The last test's process must be able to end without asking us.
  server.unref();
  return {
    url,
    async stop() {
      server.ref();
      server.stdin.end();
      await ended;
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** Postgres takes a key that is its own and nobody else's. */
async function tlsSettings(
  dir: string,
  { uid, gid }: Owner,
  { certificate, key }: NonNullable<PostgresServerOptions['tls']>,
): Promise<string[]> {
  const own = { certificate: join(dir, 'server.crt'), key: join(dir, 'server.key') };
  await writeFile(own.certificate, certificate);
  await writeFile(own.key, key, { mode: 0o600 });
  if (uid !== undefined && gid !== undefined) {
    await chown(own.certificate, uid, gid);
    await chown(own.key, uid, gid);
  }
  return ['listen_addresses=localhost', 'ssl=on', `ssl_cert_file=${own.certificate}`, `ssl_key_file=${own.key}`];
}

/** Postgres refuses to run as root: then it is whoever Debian made for it, or nobody. */
function serverOwner(): Owner {
  if (process.getuid?.() !== 0) return {};
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const [, , uid, gid] =
    ['postgres', 'nobody'].map((name) => users.find((user) => user[0] === name)).find(Boolean) ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error('Postgres does not run as root, and there is nobody else');
  return { uid: Number(uid), gid: Number(gid) };
}

async function untilItAnswers(url: string): Promise<void> {
  const deadline = performance.now() + START_TIMEOUT_MS;
  for (;;) {
    const client = new pg.Client({ connectionString: url });
    try {
      await client.connect();
      await client.end();
      return;
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setTimeout(resolve, PING_EVERY_MS));
    }
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
