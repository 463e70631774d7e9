import { ADDRESS_PATTERN } from '../../contract/address.ts';
import { parseRfc3339 } from '../../contract/time.ts';

/**
 * A message of Sign In With Solana, field by field as it stands in the text. What
 * a text leaves out is absent. Every text has one reading at most, and
 * {@link formatSignInMessage} of it is that text again.
 */
export interface SignInMessage {
  /** Host, with its port unless that is the scheme's own. */
  readonly domain: string;
  readonly address: string;
  readonly statement?: string;
  readonly uri?: string;
  readonly version?: string;
  readonly chainId?: string;
  readonly nonce?: string;
  /** RFC 3339, as are the two that follow. */
  readonly issuedAt?: string;
  readonly expirationTime?: string;
  readonly notBefore?: string;
  readonly requestId?: string;
  readonly resources?: readonly string[];
}

type FieldName = Exclude<keyof SignInMessage, 'domain' | 'address' | 'statement' | 'resources'>;

const ASKS = ' wants you to sign in with your Solana account:';
const RESOURCES = 'Resources:';
const BULLET = '- ';

const ADDRESS = new RegExp(ADDRESS_PATTERN);
const AUTHORITY = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@[\]]|%[0-9A-Fa-f]{2})+$/;
const STATEMENT = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;= ]+$/;
const URI = /^[A-Za-z][A-Za-z0-9+\-.]*:(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})*$/;
const CHAINS = /^(?:mainnet|testnet|devnet|localnet|solana:(?:mainnet|testnet|devnet))$/;
const NONCE = /^[A-Za-z0-9]{8,}$/;
const REQUEST_ID = /^(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*$/;

interface Line {
  readonly field: FieldName;
  readonly label: string;
  accepts(value: string): boolean;
}

const isTime = (text: string) => parseRfc3339(text) !== undefined;

/** The fields behind the statement, in the only order in which they may stand. */
const LINES: readonly Line[] = [
  { field: 'uri', label: 'URI: ', accepts: (value) => URI.test(value) },
  { field: 'version', label: 'Version: ', accepts: (value) => value === '1' },
  { field: 'chainId', label: 'Chain ID: ', accepts: (value) => CHAINS.test(value) },
  { field: 'nonce', label: 'Nonce: ', accepts: (value) => NONCE.test(value) },
  { field: 'issuedAt', label: 'Issued At: ', accepts: isTime },
  { field: 'expirationTime', label: 'Expiration Time: ', accepts: isTime },
  { field: 'notBefore', label: 'Not Before: ', accepts: isTime },
  { field: 'requestId', label: 'Request ID: ', accepts: (value) => REQUEST_ID.test(value) },
];

/** The text that a wallet signs. */
export function formatSignInMessage(message: SignInMessage): string {
  const { domain, address, statement, resources } = message;
  const fields = LINES.flatMap(({ field, label }) => {
    const value = message[field];
    return value === undefined ? [] : [label + value];
  });
  if (resources !== undefined) fields.push(RESOURCES, ...resources.map((resource) => BULLET + resource));
  const parts = [`${domain}${ASKS}\n${address}`];
  if (statement !== undefined) parts.push(statement);
  if (fields.length > 0) parts.push(fields.join('\n'));
  return parts.join('\n\n');
}

/** Reads a text by the grammar of the wallet standard; undefined for whatever does not follow it to the letter. */
export function parseSignInMessage(text: string): SignInMessage | undefined {
  const [head = '', ...parts] = text.split('\n\n');
  const [request = '', address = '', ...rest] = head.split('\n');
  if (!request.endsWith(ASKS) || rest.length > 0 || parts.length > 2) return undefined;
  const domain = request.slice(0, -ASKS.length);
  if (!AUTHORITY.test(domain) || !ADDRESS.test(address)) return undefined;
  // A lone part is a statement or the fields. The grammar would let a statement look like a field; we do not.
  const last = parts.at(-1);
  const endsWithFields = last !== undefined && startsLikeField(last);
  const fields = endsWithFields ? parseFields(last) : {};
  const statements = endsWithFields ? parts.slice(0, -1) : parts;
  if (fields === undefined || statements.length > 1) return undefined;
  const [statement] = statements;
  if (statement === undefined) return { domain, address, ...fields };
  if (!STATEMENT.test(statement) || startsLikeField(statement)) return undefined;
  return { domain, address, statement, ...fields };
}

function startsLikeField(part: string): boolean {
  return part.startsWith(RESOURCES) || LINES.some(({ label }) => part.startsWith(label));
}

type FieldValues = Partial<Record<FieldName, string>> & { resources?: readonly string[] };

function parseFields(part: string): FieldValues | undefined {
  const lines = part.split('\n');
  const values: FieldValues = {};
  let at = 0;
  for (const { field, label, accepts } of LINES) {
    const line = lines[at];
    if (line === undefined) return values;
    if (!line.startsWith(label)) continue;
    const value = line.slice(label.length);
    if (!accepts(value)) return undefined;
    values[field] = value;
    at += 1;
  }
  if (at === lines.length) return values;
  if (lines[at] !== RESOURCES) return undefined;
  const bullets = lines.slice(at + 1);
  if (!bullets.every((line) => line.startsWith(BULLET) && URI.test(line.slice(BULLET.length)))) return undefined;
  return { ...values, resources: bullets.map((line) => line.slice(BULLET.length)) };
}
