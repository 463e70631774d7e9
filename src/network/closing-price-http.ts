import { askJson, HttpStatus } from './ask-json.ts';
import { readClose, refusalOf } from './closing-price-answers.ts';
import { type ClosingPriceSource, NoClose, TooManyQuestions, UnknownShare } from './closing-prices.ts';

/** Stands for the share in a source's address. */
const TICKER_MARK = '{ticker}';

/** No answer is waited for longer. */
const ASK_TIMEOUT_MS = 10_000;
/** Real answers have a few hundred bytes, those with some weeks of days a few thousand. */
const MAX_ANSWER_BYTES = 256 * 1024;

/** A source behind an address in which `{ticker}` stands for the share. */
export function httpClosingPrices(template: string): ClosingPriceSource {
  return {
    name: new URL(template.replaceAll(TICKER_MARK, 'X')).host,
    async ask(ticker, signal) {
      const url = template.replaceAll(TICKER_MARK, encodeURIComponent(ticker));
      const close = readClose(await answer(url, signal));
      if (close === undefined) throw new NoClose('an answer in no known shape');
      return close;
    },
  };
}

async function answer(url: string, signal: AbortSignal): Promise<unknown> {
  try {
    const told = await askJson(url, { signal, timeoutMs: ASK_TIMEOUT_MS, maxBytes: MAX_ANSWER_BYTES });
    const refusal = refusalOf(told);
    if (refusal !== undefined) throw new HttpStatus(refusal);
    return told;
  } catch (error) {
    const status = error instanceof HttpStatus ? error.status : undefined;
    if (status === 404) throw new UnknownShare('status 404');
    if (status === 429) throw new TooManyQuestions('status 429');
    throw error;
  }
}
