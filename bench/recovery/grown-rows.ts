/** SELECTs that make the rows of a grown store, all from hashes of numbers: the same rows every time. */

export const FIRST_SLOT = 600_000_000;
export const SWAPS_PER_SLOT = 115;
export const SLOTS_PER_S = 5;
export const POSITION_SLICES = 8;
const SWAPS_PER_MINT = 500;
const SWAPS_PER_TRADER = 67;
/** Swaps stand in runs of so many neighbours, each run so many places behind the one before. */
const RUN = 5;
const RUN_PLACES = 20;
/** One attempt for so many swaps, one send, one wallet that was funded. */
const SWAPS_PER_ATTEMPT = 5;
const SWAPS_PER_SEND = 20;
/** Receivers of one transaction's sends. */
const SENDS_TOGETHER = 8;
const WALLETS_PER_FUNDER = 60;
/** Reverted buys of the hottest token in the first slots of its life. */
const RACE_ATTEMPTS = 5_000;
const RACE_SLOTS = 30;
const NONE = "toFixedString('', 32)";
const REASONS = "['TooMuchSolRequired', 'TooLittleSolReceived', 'BondingCurveComplete', '']";

export interface FactSelect {
  readonly table: 'token_creations' | 'attempts' | 'transfers' | 'fundings';
  /** Columns by name, in any order. */
  readonly select: string;
}

const unit = (salt: number) => `(cityHash64(number, ${salt}) / 18446744073709551616.)`;
/** Of so many, the first ones most often: Zipf's law. */
const rank = (salt: number, size: number, exponent: number) =>
  `toUInt64(${size} * pow(${unit(salt)}, ${1 / (1 - exponent)}))`;
const key = (number: string, salt: number) =>
  `toFixedString(unhex(concat(${[1, 2, 3, 4].map((n) => `hex(cityHash64(${number}, ${salt + n}))`).join(', ')}, repeat('0', 64))), 64)`;
const address = (number: string, salt: number) => `toFixedString(substring(${key(number, salt)}, 1, 32), 32)`;

const mintCount = (swaps: number) => Math.ceil(swaps / SWAPS_PER_MINT);
const traderCount = (swaps: number) => Math.ceil(swaps / SWAPS_PER_TRADER);

/** Tokens that come and go: so many in all, of which so many are traded at once, by Zipf's law. */
export interface PassingTokens {
  readonly tokens: number;
  readonly atOnce: number;
}

/** What a store is made of. */
export interface GrownSize {
  readonly swaps: number;
  /** Without it there is one token for {@link SWAPS_PER_MINT} swaps, and all are traded all the time. */
  readonly passing?: PassingTokens | undefined;
}

/** The token of one of `rows` rows that are made in the order of time. */
function mintOf({ swaps, passing }: GrownSize, salt: number, rows: number): string {
  if (passing === undefined) return address(rank(salt, mintCount(swaps), 0.72), 100);
  const { tokens, atOnce } = passing;
  const first = `intDiv(number * ${tokens - atOnce}, ${rows})`;
  return address(`(${first} + least(${atOnce - 1}, ${rank(salt, atOnce, 0.72)}))`, 100);
}
const traderOf = (swaps: number, salt: number) => address(rank(salt, traderCount(swaps), 0.8), 200);

/** The number that a swap was made from, by its position. */
export function swapPlace(stride: number): string {
  return `intDiv(slot - ${FIRST_SLOT}, ${stride}) * ${SWAPS_PER_SLOT} + intDiv(block_index, ${RUN_PLACES}) * ${RUN} + block_index % ${RUN_PLACES}`;
}

const TRANSACTION = {
  fee_payer: 'trader',
  router: NONE,
  tip: 'toUInt64(0)',
  tip_wallet: NONE,
  cu_price: 'toUInt64(100000)',
  cu_limit: 'toUInt32(200000)',
  priority_fee: 'toUInt64(20000)',
  budget_source: 'toUInt8(0)',
  network_fee: 'toUInt64(25000)',
  signatures: 'toUInt8(1)',
};

/** A part of all swaps; `stride` is the number of slots from one that has swaps to the next. */
export interface SwapRange {
  readonly from: number;
  readonly rows: number;
  readonly size: GrownSize;
  readonly stride: number;
}

/** Mints and wallets by Zipf's law, prices around that of a new curve. */
export function swapsSelect({ from, rows, size, stride }: SwapRange, time: string): string {
  const { swaps } = size;
  const nth = `number % ${SWAPS_PER_SLOT}`;
  return select(`numbers(${from}, ${rows})`, {
    mint: mintOf(size, 1, swaps),
    slot: `toUInt32(${FIRST_SLOT} + intDiv(number, ${SWAPS_PER_SLOT}) * ${stride})`,
    block_index: `toUInt32(intDiv(${nth}, ${RUN}) * ${RUN_PLACES} + ${nth} % ${RUN})`,
    ix_index: 'toUInt16(3)',
    time,
    signature: 'randomFixedString(64)',
    partial: 'false',
    venue: 'toUInt8(0)',
    pool: NONE,
    trader: traderOf(swaps, 2),
    is_buy: `${unit(3)} < 0.55`,
    quote_mint: NONE,
    quote_decimals: 'toUInt8(9)',
    token_decimals: 'toUInt8(6)',
    quote_amount: `toUInt64(100000 + 1000000000 * pow(${unit(4)}, 4))`,
    token_amount: `toUInt64(quote_amount * (20000 + 10000 * ${unit(5)}))`,
    price_quote: 'quote_amount',
    price_token: 'token_amount',
    price: 'quote_amount / token_amount',
    fee: 'intDiv(quote_amount * 95 + 9999, 10000)',
    creator_fee: 'intDiv(quote_amount * 30 + 9999, 10000)',
    lp_fee: 'toUInt64(0)',
    fee_in_token: 'false',
    fee_creator: NONE,
    virtual_quote_reserves: `toUInt64(30000000000 + 50000000000 * ${unit(6)})`,
    virtual_token_reserves: 'intDiv(toUInt128(32190000000000000000000000), virtual_quote_reserves)::UInt64',
    real_quote_reserves: 'virtual_quote_reserves - 30000000000',
    real_token_reserves: 'virtual_token_reserves - 279900000000000',
    reserves_known: 'true',
    priced: 'true',
    protocol_actor: 'false',
    bundled: 'toUInt8(0)',
    ...TRANSACTION,
  });
}

export function positionsSelect(slice: number): string {
  return `SELECT mint, quote_mint, trader, max(s.slot) AS slot, toUInt32(0) AS block_index, toUInt16(3) AS ix_index,
      toInt64(tokens_bought) - toInt64(tokens_sold) AS token_balance,
      sumIf(token_amount, is_buy) AS tokens_bought, sumIf(token_amount, NOT is_buy) AS tokens_sold,
      sumIf(quote_amount, is_buy) AS quote_invested, sumIf(quote_amount, NOT is_buy) AS quote_received,
      toUInt64(0) AS basis, toUInt64(0) AS basis_tokens, toInt64(quote_received) - toInt64(quote_invested) AS realized_pnl,
      true AS pnl_known, toUInt32(countIf(is_buy)) AS buys, toUInt32(countIf(NOT is_buy)) AS sells,
      min(s.time) AS first_time, min(s.slot) AS first_slot, max(s.time) AS last_time
    FROM swaps AS s WHERE cityHash64(mint) % ${POSITION_SLICES} = ${slice} GROUP BY mint, quote_mint, trader`;
}

/** Selects of the facts beside swaps; `time` is worked out of `slot`. The swaps must be there. */
export function factSelects(size: GrownSize, time: string): readonly FactSelect[] {
  const { swaps } = size;
  const attempts = Math.floor(swaps / SWAPS_PER_ATTEMPT);
  return [
    { table: 'token_creations', select: creationsSelect(time) },
    { table: 'attempts', select: attemptsSelect(attempts, size, time) },
    { table: 'attempts', select: raceSelect(swaps, time) },
    { table: 'transfers', select: sendsSelect(Math.floor(swaps / SWAPS_PER_SEND), size, time) },
    { table: 'fundings', select: fundingsSelect(swaps, time) },
  ];
}

/** Each token is made right before its first swap, by whoever makes that. */
function creationsSelect(time: string): string {
  return select('(SELECT mint, min((slot, block_index, trader)) AS first FROM swaps GROUP BY mint)', {
    mint: 'mint',
    slot: 'first.1',
    block_index: 'first.2',
    ix_index: 'toUInt16(1)',
    time,
    signature: 'randomFixedString(64)',
    partial: 'false',
    creator: 'first.3',
    fee_creator: 'first.3',
    name: "concat('Coin ', substring(hex(mint), 1, 6))",
    symbol: 'substring(hex(mint), 1, 4)',
    uri: "''",
    bonding_curve: 'toFixedString(reverse(mint), 32)',
    decimals: 'toUInt8(6)',
    token_program: NONE,
    quote_mint: NONE,
    mayhem: 'false',
    cashback: 'false',
    holder_reward: 'false',
    creator_fee_bps: 'toUInt32(0)',
    curve_depth: 'toUInt8(0)',
    virtual_token_reserves: 'toUInt64(1073000000000000)',
    virtual_quote_reserves: 'toUInt64(30000000000)',
    real_token_reserves: 'toUInt64(793100000000000)',
    supply: 'toUInt64(1000000000000000)',
  });
}

function attemptsSelect(rows: number, size: GrownSize, time: string): string {
  const perSlot = Math.floor(SWAPS_PER_SLOT / SWAPS_PER_ATTEMPT);
  return attemptSelect(rows, {
    mint: mintOf(size, 11, rows),
    slot: `toUInt32(${FIRST_SLOT} + intDiv(number, ${perSlot}))`,
    block_index: `toUInt32(number % ${perSlot} * ${RUN_PLACES} + ${RUN} + 1)`,
    time,
    trader: traderOf(size.swaps, 12),
    side: `if(${unit(13)} < 0.8, toUInt8(1), toUInt8(0))`,
  });
}

/** Behind all other places of their blocks. */
function raceSelect(swaps: number, time: string): string {
  return attemptSelect(RACE_ATTEMPTS, {
    mint: address('toUInt64(0)', 100),
    slot: `toUInt32(${FIRST_SLOT} + number % ${RACE_SLOTS})`,
    block_index: `toUInt32(10000 + intDiv(number, ${RACE_SLOTS}))`,
    time,
    trader: traderOf(swaps, 14),
    side: 'toUInt8(1)',
  });
}

function attemptSelect(rows: number, columns: Readonly<Record<string, string>>): string {
  return select(`numbers(${rows})`, {
    ...columns,
    ix_index: 'toUInt16(3)',
    signature: 'randomFixedString(64)',
    partial: 'false',
    venue: 'toUInt8(0)',
    outcome: `toUInt8(1 + toUInt64(3 * ${unit(15)}))`,
    why: `${REASONS}[1 + toUInt64(4 * ${unit(16)})]`,
    error_code: "if(why = '', toUInt32(0), toUInt32(6002))",
    tip_payable: 'toUInt64(0)',
    program: `if(outcome = 2, ${address('number % 7', 500)}, ${NONE})`,
    ...TRANSACTION,
  });
}

/** Some together in a transaction, from one wallet to several. */
function sendsSelect(rows: number, size: GrownSize, time: string): string {
  const { swaps } = size;
  const transaction = `intDiv(number, ${SENDS_TOGETHER})`;
  const perSlot = Math.max(1, Math.floor(SWAPS_PER_SLOT / SWAPS_PER_SEND / SENDS_TOGETHER));
  const ofTransaction = (expression: string) => expression.replaceAll('cityHash64(number', `cityHash64(${transaction}`);
  return select(`numbers(${rows})`, {
    mint: ofTransaction(mintOf(size, 21, rows)),
    slot: `toUInt32(${FIRST_SLOT} + intDiv(${transaction}, ${perSlot}))`,
    block_index: `toUInt32(5000 + ${transaction} % ${perSlot})`,
    ix_index: `toUInt16(100 + number % ${SENDS_TOGETHER})`,
    time,
    signature: key(transaction, 600),
    partial: 'false',
    sender: ofTransaction(traderOf(swaps, 22)),
    receiver: `if(${unit(23)} < 0.5, ${traderOf(swaps, 24)}, ${address('number', 300)})`,
    amount: `toUInt64(1000000 + 1000000000000 * pow(${unit(25)}, 2))`,
    decimals: 'toUInt8(6)',
    ambiguous: 'false',
    hidden: 'false',
  });
}

/** Every trader once, in the order of their numbers, each funder some of them. */
function fundingsSelect(swaps: number, time: string): string {
  const traders = traderCount(swaps);
  const slots = Math.ceil(swaps / SWAPS_PER_SLOT);
  return select(`numbers(${traders})`, {
    wallet: address('number', 200),
    slot: `toUInt32(${FIRST_SLOT} + intDiv(number * ${slots}, ${traders}))`,
    block_index: 'toUInt32(6000 + number % 1000)',
    ix_index: 'toUInt16(1)',
    time,
    signature: 'randomFixedString(64)',
    partial: 'false',
    funder: address(rank(31, Math.ceil(traders / WALLETS_PER_FUNDER), 0.5), 400),
    amount: `toUInt64(100000000 + 2000000000 * ${unit(32)})`,
    created_account: 'true',
  });
}

function select(source: string, columns: Readonly<Record<string, string>>): string {
  return `SELECT ${Object.entries(columns)
    .map(([name, expression]) => `${expression} AS ${name}`)
    .join(', ')} FROM ${source}`;
}
