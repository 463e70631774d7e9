import { takeLogin } from '../kernel/url-login.ts';

/** A status that is no success. */
export class HttpStatus extends Error {
  override readonly name = 'HttpStatus';
  readonly status: number;

  constructor(status: number) {
    super(`status ${status}`);
    this.status = status;
  }
}

export interface AskBounds {
  readonly signal: AbortSignal;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/**
 * The JSON at an address, which may hold a login. Redirects are not followed.
 *
 * @throws {HttpStatus} for a status that is no success.
 */
export async function askJson(url: string, { signal, timeoutMs, maxBytes }: AskBounds): Promise<unknown> {
  const address = takeLogin(url);
  const headers = { accept: 'application/json', ...address.headers };
  const bounds = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const response = await fetch(address.url, { signal: bounds, redirect: 'error', headers });
  if (!response.ok) {
    await response.body?.cancel();
    throw new HttpStatus(response.status);
  }
  return JSON.parse(await readBounded(response, maxBytes));
}

async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > maxBytes) throw new Error(`an answer of more than ${maxBytes} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
