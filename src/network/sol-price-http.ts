import { askJson } from './ask-json.ts';
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
  return {
    name: new URL(url).host,
    async ask(signal) {
      const answer = await askJson(url, { signal, timeoutMs: ASK_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES });
      const usd = readSolUsd(answer);
      if (usd === undefined) throw new Error('an answer in no known shape');
      return usd;
    },
  };
}
