import { WSOL_MINT } from '../chain/address.ts';

/**
 * Answers of exchanges and aggregators that are asked for SOL in US
 * dollars. The answer's own shape tells whose it is, so that a proxy in front
 * of any of them, at whatever address, is read as well.
 */

type Fields = Readonly<Record<string, unknown>>;

/** Dollars per SOL as one service tells it; undefined when the answer is not in its shape. */
type Parser = (answer: Fields) => unknown;

/** Kraken, `/0/public/Ticker?pair=SOLUSD`: `{"error":[],"result":{"SOLUSD":{"c":["142.37","0.1"]}}}`, `c` the last trade. */
const kraken: Parser = ({ result }) => {
  const [ticker] = Object.values(fieldsOf(result));
  const { c: lastTrade } = fieldsOf(ticker);
  return Array.isArray(lastTrade) ? lastTrade[0] : undefined;
};

/** Coinbase, `/v2/prices/SOL-USD/spot`: `{"data":{"amount":"142.37","base":"SOL","currency":"USD"}}`. */
const coinbase: Parser = ({ data }) => {
  const { amount, base, currency } = fieldsOf(data);
  return base === 'SOL' && currency === 'USD' ? amount : undefined;
};

/** Binance, `/api/v3/ticker/price?symbol=SOLUSDT`: `{"symbol":"SOLUSDT","price":"142.37000000"}`. */
const binance: Parser = ({ symbol, price }) =>
  typeof symbol === 'string' && /^SOL(USD|USDT|USDC)$/.test(symbol) ? price : undefined;

/** Coinbase Exchange, `/products/SOL-USD/ticker`: `{"trade_id":1,"price":"142.37","bid":"142.36","ask":"142.38"}`. */
const coinbaseExchange: Parser = (answer) => ('trade_id' in answer ? answer.price : undefined);

/** CoinGecko, `/api/v3/simple/price?ids=solana&vs_currencies=usd`: `{"solana":{"usd":142.37}}`. */
const coinGecko: Parser = ({ solana }) => fieldsOf(solana).usd;

/** Jupiter, `/price/v3?ids=<wrapped SOL>`: `{"<wrapped SOL>":{"usdPrice":142.37}}`. */
const jupiter: Parser = (answer) => fieldsOf(answer[WSOL_MINT]).usdPrice;

const PARSERS: readonly Parser[] = [kraken, coinbase, binance, coinbaseExchange, coinGecko, jupiter];

/** Dollars per SOL, whatever number that is; undefined when the answer is in no known shape. */
export function readSolUsd(answer: unknown): number | undefined {
  const fields = fieldsOf(answer);
  for (const parse of PARSERS) {
    const told = parse(fields);
    if (typeof told === 'number') return told;
    if (typeof told === 'string' && told.trim() !== '') return Number(told);
  }
  return undefined;
}

function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
