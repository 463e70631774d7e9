import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatSignInMessage, parseSignInMessage, type SignInMessage } from './sign-in-message.ts';

const WALLET = 'GwAF45zjfyGzUbd3i3hXxzGeuchzEZXwpRYHZM5912F1';
const WHOLE: SignInMessage = {
  domain: 'mintscope.example',
  address: WALLET,
  statement: 'Sign in to mintscope. This costs nothing and sends no transaction.',
  uri: 'https://mintscope.example',
  version: '1',
  chainId: 'mainnet',
  nonce: 'oBbLoEldZs',
  issuedAt: '2026-11-21T11:00:00.000Z',
  expirationTime: '2026-11-21T11:05:00.000Z',
  notBefore: '2026-11-21T11:00:00Z',
  requestId: 'a%20b',
  resources: ['https://mintscope.example/terms', 'ipfs://bafy'],
};

const BASE58 = [...'123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'];
const ALPHANUMERIC = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'];
const URI_CHARACTERS = [...ALPHANUMERIC, ..."-._~:/?#[]@!$&'()*+,;="];
const of = (characters: readonly string[], minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength, maxLength });
const uri = of(URI_CHARACTERS, 0, 20).map((rest) => `https:${rest}`);
const time = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString());

const message: fc.Arbitrary<SignInMessage> = fc.record(
  {
    domain: of([...ALPHANUMERIC, '.', '-', ':'], 1, 30),
    address: of(BASE58, 32, 44),
    statement: of([...URI_CHARACTERS, ' '], 1, 40).filter((text) => !/^[A-Z][A-Za-z]*( [A-Za-z]+)?:/.test(text)),
    uri,
    version: fc.constant('1'),
    chainId: fc.constantFrom('mainnet', 'testnet', 'devnet', 'localnet', 'solana:mainnet', 'solana:devnet'),
    nonce: of(ALPHANUMERIC, 8, 30),
    issuedAt: time,
    expirationTime: time,
    notBefore: time,
    requestId: of([...ALPHANUMERIC, '-', '@'], 0, 12),
    resources: fc.array(uri, { maxLength: 3 }),
  },
  { requiredKeys: ['domain', 'address'] },
);

describe('sign-in message', () => {
  it('is written as the standard shows it', () => {
    expect(formatSignInMessage(WHOLE)).toBe(`mintscope.example wants you to sign in with your Solana account:
${WALLET}

Sign in to mintscope. This costs nothing and sends no transaction.

URI: https://mintscope.example
Version: 1
Chain ID: mainnet
Nonce: oBbLoEldZs
Issued At: 2026-11-21T11:00:00.000Z
Expiration Time: 2026-11-21T11:05:00.000Z
Not Before: 2026-11-21T11:00:00Z
Request ID: a%20b
Resources:
- https://mintscope.example/terms
- ipfs://bafy`);
    expect(formatSignInMessage({ domain: 'a.example', address: WALLET })).toBe(
      `a.example wants you to sign in with your Solana account:\n${WALLET}`,
    );
  });

  it('is read back as it was written, whatever fields it has', () => {
    fc.assert(
      fc.property(message, (written) => {
        expect(parseSignInMessage(formatSignInMessage(written))).toEqual(written);
      }),
    );
  });

  it('has one reading: whatever is accepted is written back to the character', () => {
    const texts = fc.oneof(message.map(formatSignInMessage), fc.constant(formatSignInMessage(WHOLE)));
    const edits = fc.array(
      fc.tuple(
        fc.nat(700),
        fc.nat(3),
        fc.constantFrom('', '\n', '\n\n', ' ', ':', 'URI: ', 'Nonce: ', '- ', 'x', '\r'),
      ),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(texts, edits, (text, changes) => {
        const edited = changes.reduce((now, [at, cut, put]) => now.slice(0, at) + put + now.slice(at + cut), text);
        const read = parseSignInMessage(edited);
        if (read !== undefined) expect(formatSignInMessage(read)).toBe(edited);
      }),
      { numRuns: 2_000 },
    );
  });

  it('is another message, or none, with any one character changed, added or taken away', () => {
    const text = formatSignInMessage(WHOLE);
    const put = ['', ' ', '\n', '\r', '\t', '\0', ':', '0', 'a', 'Z', '\u00a0', '\u200b', 'é', '%'];
    let accepted = 0;
    for (let at = 0; at <= text.length; at += 1) {
      for (const character of put) {
        for (const cut of [0, 1]) {
          const changed = text.slice(0, at) + character + text.slice(at + cut);
          if (changed === text) continue;
          const read = parseSignInMessage(changed);
          if (read === undefined) continue;
          accepted += 1;
          expect([changed, read]).not.toEqual([changed, WHOLE]);
          expect(formatSignInMessage(read)).toBe(changed);
        }
      }
    }
    expect(accepted).toBeGreaterThan(1_000);
  });

  const head = `mintscope.example wants you to sign in with your Solana account:\n${WALLET}`;
  it.each([
    ['nothing', ''],
    ['another sentence', head.replace('Solana', 'Ethereum')],
    ['no domain', head.replace('mintscope.example', '')],
    ['a domain with a blank', head.replace('mintscope', 'mint scope')],
    ['no address', head.replace(WALLET, '')],
    ['an address with a blank', `${head} `],
    ['an address that is no base58', head.replace('GwAF', '0OIl')],
    ['a trailing line', `${head}\n`],
    ['a field without its blank line', `${head}\nNonce: oBbLoEldZs`],
    ['an unknown field', `${head}\n\nNonce: oBbLoEldZs\nGrants: all`],
    ['an unknown field first', `${head}\n\nVersion: 1\nGrants: all\nNonce: oBbLoEldZs`],
    ['a doubled field', `${head}\n\nNonce: oBbLoEldZs\nNonce: oBbLoEldZs`],
    ['a doubled field with another value', `${head}\n\nNonce: oBbLoEldZs\nNonce: another8chars`],
    ['fields in another order', `${head}\n\nNonce: oBbLoEldZs\nVersion: 1`],
    ['fields twice', `${head}\n\nNonce: oBbLoEldZs\n\nNonce: oBbLoEldZs`],
    ['a statement that looks like a field', `${head}\n\nNonce: oBbLoEldZs\n\nVersion: 1`],
    ['a statement behind the fields', `${head}\n\nNonce: oBbLoEldZs\n\nSign in`],
    ['two statements', `${head}\n\nOne.\n\nTwo.\n\nNonce: oBbLoEldZs`],
    ['a statement of two lines', `${head}\n\nOne.\nTwo.\n\nNonce: oBbLoEldZs`],
    ['an empty statement', `${head}\n\n\n\nNonce: oBbLoEldZs`],
    ['a statement with what ABNF has no word for', `${head}\n\nSign in \u2014 free.\n\nNonce: oBbLoEldZs`],
    ['a nonce that is too short', `${head}\n\nNonce: oBbLoEl`],
    ['a nonce with a blank behind', `${head}\n\nNonce: oBbLoEldZs `],
    ['a label in other letters', `${head}\n\nVersion: 1\nnonce: oBbLoEldZs`],
    ['another version', `${head}\n\nVersion: 2`],
    ['an unknown chain', `${head}\n\nChain ID: 1`],
    ['a URI without a scheme', `${head}\n\nURI: mintscope.example`],
    ['a URI with a broken escape', `${head}\n\nURI: https://a/%zz`],
    ['a time without a zone', `${head}\n\nIssued At: 2026-11-21T11:00:00`],
    ['a day that there is not', `${head}\n\nIssued At: 2026-13-41T11:00:00Z`],
    ['a time in seconds', `${head}\n\nIssued At: 1790000000`],
    ['resources without their mark', `${head}\n\nResources:\nhttps://a.example`],
    ['resources before the end', `${head}\n\nResources:\n- https://a.example\nNonce: oBbLoEldZs`],
    ['line ends of another kind', formatSignInMessage(WHOLE).replaceAll('\n', '\r\n')],
    ['a byte order mark', `\ufeff${head}`],
  ])('refuses %s', (_what, text) => {
    expect(parseSignInMessage(text)).toBeUndefined();
  });
});
