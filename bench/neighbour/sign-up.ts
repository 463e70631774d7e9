import { makeWallet, signText } from '../accounts/wallet.ts';
import type { Service } from '../api/processes.ts';

/** The first key of a new account on trial. */
export async function signUp({ address }: Service): Promise<string> {
  const wallet = makeWallet(1);
  const { message } = await post<{ message: string }>(`${address}/auth/nonce`, { wallet: wallet.address });
  const signed = { wallet: wallet.address, message, signature: signText(wallet, message) };
  const { first_key } = await post<{ first_key?: string }>(`${address}/auth/verify`, signed);
  if (first_key === undefined) throw new Error('the new account has no first key');
  return first_key;
}

async function post<T>(url: string, body: unknown): Promise<T> {
  const headers = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${url}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as T;
}
