import { type Static, type TSchema, Type } from 'typebox';
import { readChain } from './chain/clusters.ts';
import { readSecretsKeyText } from './store/accounts-db/secrets-key-text.ts';

export const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

export interface Variable<T extends TSchema> {
  readonly env: string;
  readonly schema: T;
  /** One line for `.env.example`. */
  readonly help: string;
  /** Shown commented out in `.env.example`. */
  readonly example: string;
  readonly default?: string;
  /** The form of text that is expected, where the schema alone would not say it well. */
  readonly expects?: string;
  /** Checks of the text that the schema cannot make. */
  readonly accepts?: (text: string) => boolean;
}

/** Keeps the exact type, so that a setting with a default is known to be there. */
function variable<const V extends Variable<TSchema>>(definition: V): V {
  return definition;
}

const Url = (protocols: string) => Type.String({ pattern: `^(${protocols})://[^\\s]+$` });
const isUrl = (text: string) => URL.canParse(text);
/** A second slash is a host's, and only a third one begins a path. */
const isFileOfThisHost = (text: string) => text.startsWith('file:///');
/** Postgres would take the name of the user for a database's that is not named, and connect to something else. */
const namesDatabase = (text: string) => /^\/[^/]+$/.test(new URL(text).pathname);
/** Session cookies are sent to https alone, and to this machine. */
const isOriginForCookies = (text: string) => {
  if (!isUrl(text)) return false;
  const { protocol, hostname, username, password, origin, href } = new URL(text);
  const isBare = username === '' && password === '' && href === `${origin}/`;
  return isBare && (protocol === 'https:' || LOOPBACK_HOSTS.includes(hostname.replace(/^\[|\]$/g, '')));
};
/** Facts that may be let go after some days; the store knows in which tables they lie. */
const RETAINED = '(swaps|attempts|transfers|fundings|burns|liquidity|fee_payouts|unexplained_deltas|slot_tips)';
/** The conversion to an integer drops what follows a point. */
const isWhole = (text: string) => /^\d+$/.test(text);

/** Every environment variable there is, validated at once. `.env.example` is generated from it (`npm run docs:generate`). */
export const VARIABLES = {
  port: variable({
    env: 'MINTSCOPE_PORT',
    schema: Type.Integer({ minimum: 0, maximum: 65_535 }),
    accepts: isWhole,
    help: 'Port of the REST API, the WebSocket and the documentation. 0 picks a free one.',
    example: '8080',
    default: '8080',
  }),
  host: variable({
    env: 'MINTSCOPE_HOST',
    schema: Type.String({ minLength: 1 }),
    help: 'Address to listen on.',
    example: '127.0.0.1',
    default: '127.0.0.1',
  }),
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
    example: 'attempts=14d,transfers=30d,unexplained_deltas=14d',
    default: 'attempts=14d,transfers=30d,unexplained_deltas=14d',
  }),
  bookMemory: variable({
    env: 'MINTSCOPE_BOOK_MEMORY',
    schema: Type.String({ pattern: '^[1-9]\\d{0,5}[MG]$' }),
    expects: 'must be a size such as 256M or 2G',
    help: 'Memory for the books of tokens that are asked for: what is hot is answered out of them. The oldest are dropped and read again when they are asked for.',
    example: '256M',
    default: '256M',
  }),
  source: variable({
    env: 'MINTSCOPE_SOURCE',
    schema: Type.String({ pattern: '^(simulator|rpc|yellowstone|replay:.+)$' }),
    help: 'Where blocks come from: simulator, replay:<file or folder>, rpc or yellowstone.',
    example: 'simulator',
    default: 'simulator',
  }),
  chain: variable({
    env: 'MINTSCOPE_CHAIN',
    schema: Type.String({ minLength: 1 }),
    accepts: (text) => readChain(text) !== undefined,
    expects: 'must be mainnet, devnet, testnet, simulator, or a genesis hash in base58',
    help: 'Whose blocks a Yellowstone stream alone, or a replay, brings: mainnet, devnet, testnet, simulator or a genesis hash. With SOLANA_RPC_URL the node of a live source is asked instead. A store holds one chain.',
    example: 'mainnet',
    default: 'mainnet',
  }),
  commitment: variable({
    env: 'MINTSCOPE_COMMITMENT',
    schema: Type.Union([Type.Literal('confirmed'), Type.Literal('processed')]),
    help: 'How sure a block must be before it is shown: confirmed, or processed, which may be taken back. Only confirmed ones are stored.',
    example: 'confirmed',
    default: 'confirmed',
  }),
  solanaRpcUrl: variable({
    env: 'SOLANA_RPC_URL',
    schema: Url('https?'),
    accepts: isUrl,
    help: 'JSON-RPC endpoint of your Solana node. Needed by the source rpc and by backfill; fills holes, and tells of tokens older than the data.',
    example: 'http://127.0.0.1:8899',
  }),
  rpcMaxLagSlots: variable({
    env: 'SOLANA_RPC_MAX_LAG_SLOTS',
    schema: Type.Integer({ minimum: 8, maximum: 1_000_000 }),
    accepts: isWhole,
    help: 'Slots the source rpc may fall behind before it passes some over and goes on at the head. Unset keeps all.',
    example: '150',
  }),
  yellowstoneUrl: variable({
    env: 'YELLOWSTONE_URL',
    schema: Url('https?'),
    accepts: isUrl,
    help: 'Yellowstone gRPC endpoint of your node; https for TLS. Needed by the source yellowstone.',
    example: 'http://127.0.0.1:10000',
  }),
  yellowstoneToken: variable({
    env: 'YELLOWSTONE_TOKEN',
    schema: Type.String({ minLength: 1 }),
    help: 'Sent as x-token to the Yellowstone endpoint.',
    example: '',
  }),
  yellowstoneCaFile: variable({
    env: 'YELLOWSTONE_CA_FILE',
    schema: Type.String({ minLength: 1 }),
    help: 'PEM file of the authority that signed the certificate of the Yellowstone endpoint, if it is not a public one.',
    example: '/etc/mintscope/yellowstone-ca.pem',
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
  publicUrl: variable({
    env: 'MINTSCOPE_PUBLIC_URL',
    schema: Url('https?'),
    accepts: isOriginForCookies,
    expects: 'must be https://host[:port] without a path, or http on a loopback name',
    help: 'Where browsers find the service: what wallets sign in to, and the only origin whose pages may act in a session. Without it, loopback names with the port that is listened on.',
    example: 'https://mintscope.example',
  }),
  trustedHops: variable({
    env: 'MINTSCOPE_TRUSTED_HOPS',
    schema: Type.Integer({ minimum: 0, maximum: 16 }),
    accepts: isWhole,
    help: 'Proxies in front that append to X-Forwarded-For: the client is the n-th address from its right. 0 believes the socket alone.',
    example: '0',
    default: '0',
  }),
  connectionsPerAddress: variable({
    env: 'MINTSCOPE_CONNECTIONS_PER_ADDRESS',
    schema: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
    accepts: isWhole,
    help: 'Connections that one address may have open, by the socket; an IPv6 network /64 counts as one. 0 sets no bound, and there is none with MINTSCOPE_TRUSTED_HOPS, as behind a proxy all come from one.',
    example: '256',
    default: '256',
  }),
  devKey: variable({
    env: 'MINTSCOPE_DEV_KEY',
    schema: Type.String({ minLength: 8, maxLength: 128, pattern: '^[A-Za-z0-9_-]+$' }),
    help: 'An API key of your choice for local work. Refused unless the host is loopback.',
    example: 'local-development',
  }),
  enforce: variable({
    env: 'MINTSCOPE_ENFORCE',
    schema: Type.Boolean(),
    help: 'true refuses calls without credits; false counts them and refuses nothing.',
    example: 'false',
    default: 'false',
  }),
  plansFile: variable({
    env: 'MINTSCOPE_PLANS',
    schema: Type.String({ minLength: 1 }),
    help: 'JSON file with the plans of accounts (see docs/accounts.md). Without it there are none, trial, basic, pro and operator.',
    example: './plans.json',
  }),
  metricsToken: variable({
    env: 'MINTSCOPE_METRICS_TOKEN',
    schema: Type.String({ minLength: 16, maxLength: 256, pattern: '^[A-Za-z0-9._~+/=-]+$' }),
    expects: 'must have 16 to 256 letters, digits or signs of ._~+/=-',
    help: 'Who scrapes /metrics sends it as Authorization: Bearer. Without it whoever reaches the port reads them.',
    example: '',
  }),
  readyLag: variable({
    env: 'MINTSCOPE_READY_LAG',
    schema: Type.Integer({ minimum: 1, maximum: 86_400 }),
    accepts: isWhole,
    help: 'Seconds that the newest block may be old: behind that GET /ready is 503, and balancers of load ask others.',
    example: '60',
    default: '60',
  }),
  logLevel: variable({
    env: 'MINTSCOPE_LOG_LEVEL',
    schema: Type.Enum(['debug', 'info', 'warn', 'error', 'silent']),
    help: 'debug, info, warn, error or silent. Logs are JSON lines on stderr.',
    example: 'info',
    default: 'info',
  }),
  notableFundingLamports: variable({
    env: 'MINTSCOPE_NOTABLE_FUNDING_LAMPORTS',
    schema: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
    accepts: isWhole,
    help: 'Transfers to a wallet that exists are kept from so many lamports on. A changed value holds for blocks read from then on.',
    example: '100000000',
    default: '100000000',
  }),
  fundingLookups: variable({
    env: 'MINTSCOPE_FUNDING_LOOKUPS',
    schema: Type.Boolean(),
    help: 'true looks up who made the wallets that are older than the data, in their history at SOLANA_RPC_URL: two to six calls for each wallet.',
    example: 'false',
    default: 'false',
  }),
  solPrice: variable({
    env: 'MINTSCOPE_SOL_PRICE',
    schema: Type.String({ pattern: '^(on|off|https?://[^\\s,]+(,https?://[^\\s,]+){0,7})$' }),
    accepts: (text) => text === 'on' || text === 'off' || text.split(',').every(isUrl),
    expects: 'must be on, off, or up to eight URLs, separated by commas',
    help: 'The price of SOL in US dollars: on asks public exchanges (a simulated chain has its own), off asks nobody, URLs are asked instead, the first that answers.',
    example: 'on',
    default: 'on',
  }),
  metadata: variable({
    env: 'MINTSCOPE_METADATA',
    schema: Type.Boolean(),
    help: 'false fetches no documents of tokens: images, links and descriptions stay unknown, and no stranger’s host is asked.',
    example: 'true',
    default: 'true',
  }),
  ipfsGateways: variable({
    env: 'MINTSCOPE_IPFS_GATEWAYS',
    schema: Type.String({ pattern: '^[a-z0-9-]+(\\.[a-z0-9-]+)+(,[a-z0-9-]+(\\.[a-z0-9-]+)+){0,7}$' }),
    expects: 'must be one to eight host names, separated by commas',
    help: 'Public hosts that documents and images on IPFS are asked of, by https, the first one first. The first three are asked for an image.',
    example: 'ipfs.io,dweb.link,gateway.pinata.cloud',
  }),
  geoipCity: variable({
    env: 'MINTSCOPE_GEOIP_CITY',
    schema: Type.String({ minLength: 1 }),
    help: 'File in the MaxMind format (.mmdb) that says in which city and country the addresses of validators are, such as DB-IP Lite or GeoLite2 (see docs/sources.md). Without it nobody’s place is known; a simulated chain has its own.',
    example: './dbip-city-lite.mmdb',
  }),
  geoipAsn: variable({
    env: 'MINTSCOPE_GEOIP_ASN',
    schema: Type.String({ minLength: 1 }),
    help: 'The same for autonomous systems, by which data centres are named.',
    example: './dbip-asn-lite.mmdb',
  }),
  simulatorSeed: variable({
    env: 'MINTSCOPE_SIMULATOR_SEED',
    schema: Type.Integer({ minimum: 0, maximum: 4_294_967_295 }),
    accepts: isWhole,
    help: 'Seed of the simulated chain: the same seed makes the same blocks.',
    example: '1',
    default: '1',
  }),
} as const;

type Variables = typeof VARIABLES;
type Setting<K extends keyof Variables> = Variables[K] extends { readonly default: string }
  ? Static<Variables[K]['schema']>
  : Static<Variables[K]['schema']> | undefined;

export type Settings = { readonly [K in keyof Variables]: Setting<K> };
