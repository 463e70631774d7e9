import { Type } from 'typebox';
import { isUrl, isWhole, Url, variable } from './variable.ts';

export const LOOPBACK_HOSTS: readonly string[] = ['127.0.0.1', '::1', 'localhost'];

/** Session cookies are sent to https alone, and to this machine. */
const isOriginForCookies = (text: string) => {
  if (!isUrl(text)) return false;
  const { protocol, hostname, username, password, origin, href } = new URL(text);
  const isBare = username === '' && password === '' && href === `${origin}/`;
  return isBare && (protocol === 'https:' || LOOPBACK_HOSTS.includes(hostname.replace(/^\[|\]$/g, '')));
};

/** Where the service listens, whom it lets in, what it tells of itself. */
export const SERVICE_SETTINGS = {
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
} as const;
