import type { TestWallet } from '../support/wallets.ts';
import type { WireAnswer } from './answer-reader.ts';
import type { Sessions } from './cast.ts';
import type { SecretSearch } from './secret-search.ts';
import type { Wire } from './wire.ts';
import type { World, WorldAccount } from './world.ts';

export interface SignInTools {
  readonly wire: Wire;
  readonly secrets: SecretSearch;
}

/** One address for each who signs in: nonces are limited by address. */
const FIRST_HOST = 10;
const TIMEOUT_MS = 10_000;
/** Unix milliseconds and a dot. */
const PAGE_END = 14;
const PAGE_ADDRESSES = ['127.9.0.1', '127.9.0.2', '127.9.1.1'];

/** Signs owners in over HTTP as wallets do; one of them out again; and opens page sessions. */
export async function openSessions(world: World, tools: SignInTools): Promise<Sessions> {
  const owners = new Map<number, string>();
  for (const [at, account] of world.owners.entries()) {
    owners.set(account.id, await signIn(account, `127.8.0.${FIRST_HOST + at}`, tools));
  }
  const [leaver] = world.payers;
  const left = await signIn(leaver!, '127.8.1.1', tools);
  await post('/api/auth/logout', {}, left, '127.8.1.1', tools);
  const pages: { cookie: string; address: string }[] = [];
  for (const address of PAGE_ADDRESSES) {
    const cookie = cookieOf(await post('/api/auth/page-session', {}, undefined, address, tools));
    // The end of the session stands before the code, and is no secret.
    tools.secrets.add({ name: 'page session', text: tokenOf(cookie), shown: PAGE_END });
    pages.push({ cookie, address });
  }
  return { owners, ended: [left, 'mintscope_session=x', `mintscope_session=${'A'.repeat(43)}`], pages };
}

async function signIn({ id, wallet }: WorldAccount, address: string, tools: SignInTools): Promise<string> {
  const { secrets } = tools;
  const { address: account } = wallet as TestWallet;
  const asked = bodyOf(await post('/api/auth/nonce', { wallet: account }, undefined, address, tools));
  const signature = (wallet as TestWallet).sign(asked.message);
  const signed = { wallet: account, message: asked.message, signature };
  const answer = await post('/api/auth/verify', signed, undefined, address, tools);
  const cookie = cookieOf(answer);
  secrets.add({ name: 'nonce', text: asked.nonce, isKept: true });
  secrets.add({ name: 'signature', text: signature });
  secrets.add({ name: `session of account ${id}`, text: tokenOf(cookie) });
  return cookie;
}

async function post(path: string, body: unknown, cookie: string | undefined, address: string, { wire }: SignInTools) {
  const text = JSON.stringify(body);
  const sent = cookie === undefined ? '' : `Cookie: ${cookie}\r\n`;
  const head = `POST ${path} HTTP/1.1\r\nHost: x\r\nSec-Fetch-Site: same-origin\r\n${sent}Content-Type: application/json\r\nContent-Length: ${text.length}\r\n\r\n`;
  const answer = await wire.send(address, Buffer.from(head + text), {
    isHead: false,
    alone: false,
    timeoutMs: TIMEOUT_MS,
  });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${answer.body.toString()}`);
  return answer;
}

function bodyOf({ body }: WireAnswer): { readonly nonce: string; readonly message: string } {
  return JSON.parse(body.toString()) as { nonce: string; message: string };
}

/** The Cookie header that a browser sends back for Set-Cookie. */
function cookieOf({ headers }: WireAnswer): string {
  const [cookie] = headers.get('set-cookie') ?? [];
  if (cookie === undefined) throw new Error('no session was opened');
  return cookie.split(';')[0] ?? '';
}

function tokenOf(cookie: string): string {
  return cookie.slice(cookie.indexOf('=') + 1);
}
