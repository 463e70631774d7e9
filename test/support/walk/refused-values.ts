import { ApiError, type ErrorCode } from '../../../src/contract/errors.ts';
import type { RouteContract } from '../../../src/contract/route.ts';
import { KNOWN_MINT, UNKNOWN_MINT } from '../token-answers.ts';

/** Values that no parameter of these names accepts. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  mint: ['x', '0'.repeat(44), KNOWN_MINT.slice(2), `${KNOWN_MINT}1`],
  creator: ['x'],
  limit: ['0', '-1', '1.5', 'ten', '1000000', '1e2'],
  cursor: ['yesterday', '1'],
  order: ['newest'],
  sort: ['best'],
  status: ['2', 'true'],
  failed: ['yes', '2'],
  transfers: ['yes'],
  fill: ['yes'],
  members: ['yes', '2'],
  tf: ['2m', '1M'],
  from: ['yesterday', '12345', '2026-08-01'],
  to: ['2026-08-01T10:00:00'],
  quote: ['SOL', 'x'],
  provider: ['p'.repeat(61), '🐸'.repeat(40)],
  before: ['1', '2026-08-01T10:00:00Z'],
  after: ['1'],
  wallets: ['', 'x', `${KNOWN_MINT},`],
  min_sol: ['0', '3', '99999999', '-3000000000', '3e9', '1.5', 'SOL', '18446744073709551616', '0x5f5e100'],
  min_progress: ['-1', '100.01', '101', '1e1', '.5', '99.999', 'half', '0x10', '٥'],
  min_vol: ['-1', '1.5', '1e9', 'SOL', '18446744073709551616', '0x10', '٥', '000000000000000000001'],
  min_traders: ['0', '-1', '1.5', '1e2', 'many', '1000000001', '00000000001'],
  mayhem: ['2', 'yes'],
  spark: ['2', 'yes'],
  mints: ['', 'x', `${KNOWN_MINT},`, `${KNOWN_MINT} ${UNKNOWN_MINT}`],
  trader: ['x', `${KNOWN_MINT}1`],
  wallet: ['x', `${KNOWN_MINT}1`],
  id: ['Nobody!', '-1 ', 'a'.repeat(65)],
  days: ['0', '61', '-1', '1.5', 'two', '007'],
  venue: ['3', '-1', '00', '1.0', 'curve', '0,1', '٠'],
  window: ['24', '168', '169h', 'soon'],
  metric: ['', 'swaps', 'volume_1h', 'Volume'],
  step: ['5m', '1H', '24h'],
  w: ['2h', '168h', '24'],
  by: ['colour', 'ROUTE'],
  past: ['0', '401', '-1', '1.5', 'forty', '0040'],
  future: ['3', '1601', '-1', '4.5', 'all', '00160'],
  direction: ['both', 'IN'],
  slots: ['0', '151', '-1', '1.5', 'thirty', '0030'],
  q: ['', 'p', '🐸', 'p'.repeat(129), 'p'.repeat(65_536)],
  name: ['', 'n'.repeat(1_233)],
  parts: ['trust', 'token,trust', 'token,', ' token'],
};

/** Routes that answer what is no address too: that there is nothing. */
const ANY_MINT = ['getTokenMetadata', 'getTokenImage'];

/** Name of a parameter, what it refuses, the code. */
export function refusedParameters(route: RouteContract): readonly (readonly [string, string, ErrorCode])[] {
  return Object.entries({ ...route.params, ...route.query }).flatMap(([name, { error }]) => {
    if (name === 'mint' && ANY_MINT.includes(route.name)) return [];
    const values = REFUSED[name];
    if (values === undefined) throw new Error(`name values that ${name} refuses`);
    return values.map((value) => [name, value, error] as const);
  });
}

/** Values that JSON can hold in the place of anything. */
const JUNK: readonly unknown[] = [
  undefined,
  null,
  true,
  7,
  -1,
  1.5,
  2 ** 60,
  '',
  '   ',
  'x',
  'x'.repeat(5_000),
  'a\u0000b',
  '\ud83d',
  '-7',
  [],
  ['x'],
  [null],
  [[KNOWN_MINT]],
  Array.from({ length: 5_001 }, (_, i) => `x${i}`),
  {},
  { length: 1, 0: KNOWN_MINT },
  { rps: 0, burst: -1 },
];

/** Name of a field, a value that it refuses, the code: each code of each field, with all values that lead to it. */
export function refusedFields({ body }: RouteContract): readonly (readonly [string, unknown, ErrorCode])[] {
  return Object.entries(body ?? {}).flatMap(([name, { read }]) =>
    JUNK.flatMap((value) => {
      const code = refusalOf(() => read(value, name));
      return code === undefined ? [] : [[name, value, code] as const];
    }),
  );
}

function refusalOf(read: () => unknown): ErrorCode | undefined {
  try {
    read();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError) return error.code;
    throw error;
  }
}
