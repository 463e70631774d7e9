import { takeLogin } from '../kernel/url-login.ts';
import type { SolPriceSource } from './sol-price.ts';
import { readSolUsd } from './sol-usd-answers.ts';

/** Exchanges first, aggregators behind them. None needs a key. */
export const PUBLIC_SOL_PRICES: readonly string[] = [
  'https://api.kraken.com/0/public/Ticker?pair=SOLUSD',
  'https://api.coinbase.com/v2/prices/SOL-USD/spot',
  'https://api.binance.com/api/v3/ticker/price?symbol=SOLUSDT',
  'https://api.coingecko.com/api/v3/simple/price?ids=solana&vs_currencies=usd',
];

/** No answer is waited for longer. */
const ASK_TIMEOUT_MS = 3_000;
/** Real answers have a few hundred bytes. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** A source behind a URL that answers as one of the services that are known. */
export function httpSolPrice(url: string): SolPriceSource {
  const address = takeLogin(url);
  const headers = { accept: 'application/json', ...address.headers };
  return {
    name: new URL(url).host,
    async ask(signal) {
      const bounds = AbortSignal.any([signal, AbortSignal.timeout(ASK_TIMEOUT_MS)]);
      const response = await fetch(address.url, { signal: bounds, redirect: 'error', headers });
      if (!response.ok) {
        await response.body?.cancel();
        throw new Error(`status ${response.status}`);
      }
      const usd = readSolUsd(JSON.parse(await readBounded(response)));
      if (usd === undefined) throw new Error('an answer in no known shape');
      return usd;
    },
  };
}

async function readBounded(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > MAX_ANSWER_BYTES) throw new Error(`an answer of more than ${MAX_ANSWER_BYTES} bytes`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}
