import type { Body } from '../../src/books/body-cache.ts';
import type { Address } from '../../src/chain/address.ts';
import { decodeSwapCursor } from '../../src/contract/swap-cursor.ts';
import type { SwapPage } from '../../src/features/trades/swap-page.ts';
import type { TokenBooks } from './token-books.ts';
import { told } from './told.ts';

/** One without a rollup, two with, that the worlds' times fall into differently. */
const INTERVALS = ['1s', '1m', '4h'] as const;

/** Everything one can ask of a token, as text. */
export async function everyAnswer(
  books: TokenBooks,
  mint: Address,
  limit: number,
  now: number,
): Promise<Record<string, string>> {
  const answers: Record<string, string> = {};
  const put = async (name: string, body: Body) => {
    answers[name] = (await told(body))?.toString() ?? 'unknown';
  };
  await put('snapshot', books.snapshot(mint));
  await put('activity', books.activity(mint));
  await put('holders', books.holders(mint, limit));
  for (const quote of [undefined, '', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address] as const) {
    await put(`ticks ${quote}`, books.ticks(mint, { quote, before: undefined, after: undefined, limit }));
    for (const interval of INTERVALS) {
      for (const fill of [false, true]) {
        const range = { interval, from: undefined, to: undefined, limit, quote, fill };
        await put(`candles ${interval} ${quote} ${fill}`, books.candles(mint, range));
        const from = now - 40_000;
        await put(`candles ${interval} ${quote} ${fill} from`, books.candles(mint, { ...range, from }));
      }
    }
  }
  for (const order of ['asc', 'desc'] as const) {
    for (const [failed, transfers] of [
      [false, false],
      [true, false],
      [true, true],
    ] as const) {
      const pages = await walkSwaps(books, mint, { order, limit, cursor: undefined, failed, transfers });
      answers[`swaps ${order} ${failed} ${transfers}`] = pages.join('\n');
    }
  }
  await put('ticks from nowhere', books.ticks(mint, { quote: '', before: undefined, after: 'p1-1-0-0', limit }));
  answers['ticks back'] = (await walkTicks(books, mint, limit)).join('\n');
  return answers;
}

export async function walkSwaps(books: TokenBooks, mint: Address, page: SwapPage): Promise<string[]> {
  const pages: string[] = [];
  for (let next: SwapPage | undefined = page; next !== undefined; ) {
    const body = (await told(books.swaps(mint, next)))?.toString();
    if (body === undefined) break;
    pages.push(body);
    const cursor = JSON.parse(body).next_cursor as string | undefined;
    next = cursor === undefined ? undefined : { ...page, cursor: decodeSwapCursor(cursor) };
  }
  return pages;
}

async function walkTicks(books: TokenBooks, mint: Address, limit: number): Promise<string[]> {
  const pages: string[] = [];
  for (let before: string | undefined; ; ) {
    const body = (await told(books.ticks(mint, { quote: '', before, after: undefined, limit })))?.toString();
    if (body === undefined) return pages;
    pages.push(body);
    const page = JSON.parse(body);
    const forward = await told(books.ticks(mint, { quote: '', before: undefined, after: page.older, limit }));
    pages.push(forward?.toString() ?? 'unknown');
    if (page.history_start) return pages;
    before = page.older;
  }
}
