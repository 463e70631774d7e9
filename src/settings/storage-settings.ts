import { Type } from 'typebox';
import { readSecretsKeyText } from '../store/accounts-db/secrets-key-text.ts';
import { isUrl, Url, variable } from './variable.ts';

/** A second slash is a host's, and only a third one begins a path. */
const isFileOfThisHost = (text: string) => text.startsWith('file:///');
/** Postgres would take the name of the user for a database's that is not named, and connect to something else. */
const namesDatabase = (text: string) => /^\/[^/]+$/.test(new URL(text).pathname);
/** Facts that may be let go after some days; the store knows in which tables they lie. */
const RETAINED = '(swaps|attempts|transfers|fundings|burns|liquidity|fee_payouts|unexplained_deltas|slot_tips|routers)';

/** What is kept, where, and for how long. */
export const STORAGE_SETTINGS = {
  dataDir: variable({
    env: 'MINTSCOPE_DATA_DIR',
    schema: Type.String({ minLength: 1 }),
    help: 'Folder for everything the service keeps: embedded store, outbox, accounts and the key of their secrets. Unless it is set, the store of the simulator is in ./data/simulated.',
    example: './data',
    default: './data',
  }),
  minFreeDisk: variable({
    env: 'MINTSCOPE_MIN_FREE_DISK',
    schema: Type.String({ pattern: '^\\d{1,6}[MGT]?$' }),
    expects: 'must be a size such as 500M, 2G or 1T, or 0 for no bound',
    help: 'Free space below which ingest pauses, with an alarm, until there is a quarter more than that again. 0 never pauses.',
    example: '2G',
    default: '2G',
  }),
  retention: variable({
    env: 'MINTSCOPE_RETENTION',
    schema: Type.String({ pattern: `^(forever|${RETAINED}=\\d{1,4}d(,${RETAINED}=\\d{1,4}d)*)$` }),
    expects: 'must be forever, or a list such as attempts=14d,transfers=30d (see docs/storage.md for the names)',
    help: 'How many days rows are kept, by table; what is not named is kept for ever. Chains that are simulated or replayed are kept.',
    example: 'attempts=14d,transfers=30d,unexplained_deltas=14d,routers=14d',
    default: 'attempts=14d,transfers=30d,unexplained_deltas=14d,routers=14d',
  }),
  bookMemory: variable({
    env: 'MINTSCOPE_BOOK_MEMORY',
    schema: Type.String({ pattern: '^[1-9]\\d{0,5}[MG]$' }),
    expects: 'must be a size such as 256M or 2G',
    help: 'Memory for the books of tokens that are asked for: what is hot is answered out of them. The oldest are dropped and read again when they are asked for.',
    example: '256M',
    default: '256M',
  }),
  clickhouseUrl: variable({
    env: 'CLICKHOUSE_URL',
    schema: Url('https?'),
    accepts: isUrl,
    help: 'Your ClickHouse, credentials and database in the URL. Without it an embedded server is started.',
    example: 'http://user:password@127.0.0.1:8123/mintscope',
  }),
  clickhouseCaFile: variable({
    env: 'CLICKHOUSE_CA_FILE',
    schema: Type.String({ minLength: 1 }),
    help: 'PEM file of the authority that signed the certificate of CLICKHOUSE_URL, if it is not a public one.',
    example: '/etc/mintscope/clickhouse-ca.pem',
  }),
  databaseUrl: variable({
    env: 'DATABASE_URL',
    schema: Url('file|postgres|postgresql'),
    accepts: (text) => isUrl(text) && (text.startsWith('file:') ? isFileOfThisHost(text) : namesDatabase(text)),
    expects: 'must be a file:///path URL of a SQLite file, or postgres://user:password@host:port/database',
    help: 'Accounts database: a Postgres, TLS as its sslmode says, or a SQLite file (file:///path). Without it, accounts.db in the data folder.',
    example: 'postgres://mintscope:password@127.0.0.1:5432/mintscope?sslmode=verify-full',
  }),
  secretsKey: variable({
    env: 'MINTSCOPE_SECRETS_KEY',
    schema: Type.String({ minLength: 43, maxLength: 64 }),
    accepts: (text) => readSecretsKeyText(text) !== undefined,
    expects: 'must be 32 random bytes as 64 hex digits or 43 characters of base64url: openssl rand -hex 32',
    help: 'Key that secrets in the accounts database are sealed with, 32 random bytes (openssl rand -hex 32): the same for all processes on a Postgres. Without it, secrets.key in the data folder, made at the first start.',
    example: '',
  }),
} as const;
