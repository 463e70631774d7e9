import { Type } from 'typebox';
import { flagParameter, type Parameter, parameter, quoteParameter } from '../../contract/parameter.ts';

/** Parameters that say which rows of a list are shown, and what they show. */

const MAX_LAMPORTS = 2n ** 64n - 1n;
const MAX_TRADERS = 1_000_000_000;
const PERCENT = /^(?:100(?:\.0{1,2})?|\d{1,2}(?:\.\d{1,2})?)$/;

/** Least progress of a curve; `fallback` where none is named. */
export function progressParameter<T>(description: string, fallback: T): Parameter<number | T> {
  return parameter<number | T>({
    schema: Type.Number({ minimum: 0, maximum: 100, ...(fallback === 0 && { default: 0 }), description }),
    parse: (text) => (PERCENT.test(text) ? Number(text) : undefined),
    absent: fallback,
    error: 'invalid_param',
    expected: 'must be a number from 0 to 100 with two decimals at most',
    details: { min: 0, max: 100 },
  });
}

export const sparkParameter = () =>
  flagParameter('`1` adds spark to the rows: prices of the last hour, one for every two minutes.');

/** Filters on what a row tells when it is read. What is not known passes none. */
export const SCREEN_PARAMETERS = {
  min_vol: parameter<bigint | undefined>({
    schema: Type.String({
      pattern: '^\\d{1,20}$',
      description: 'Least vol_1h in lamports, and not in SOL. Of tokens quoted in SOL alone: others have none.',
    }),
    parse(text) {
      if (!/^\d{1,20}$/.test(text)) return undefined;
      const lamports = BigInt(text);
      return lamports > MAX_LAMPORTS ? undefined : lamports;
    },
    absent: undefined,
    error: 'invalid_param',
    expected: `must be lamports from 0 to ${MAX_LAMPORTS}`,
  }),
  min_traders: parameter<number | undefined>({
    schema: Type.Integer({ minimum: 1, maximum: MAX_TRADERS, description: 'Least traders.' }),
    parse(text) {
      if (!/^\d{1,10}$/.test(text)) return undefined;
      const count = Number(text);
      return count >= 1 && count <= MAX_TRADERS ? count : undefined;
    },
    absent: undefined,
    error: 'invalid_param',
    expected: `must be a whole number from 1 to ${MAX_TRADERS}`,
    details: { max: MAX_TRADERS },
  }),
  quote: quoteParameter('Tokens in this quote alone: its mint, empty for SOL.'),
  mayhem: parameter<boolean | undefined>({
    schema: Type.Enum(['0', '1'], { type: 'string', description: '`1` mayhem coins alone, `0` others alone.' }),
    parse: flagParameter('').parse,
    absent: undefined,
    error: 'invalid_param',
    expected: 'must be 1 or 0',
  }),
  min_progress: progressParameter('Least curve_progress_pct, two decimals.', undefined),
};
