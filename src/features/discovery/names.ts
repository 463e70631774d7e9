import { jsonBody, timeText } from '../../books/json-text.ts';
import { ApiError } from '../../contract/errors.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { UnbrokenReader } from '../../token/history.ts';
import { quotePrice } from '../../token/row-json.ts';
import { readSettled, type SettledDeps } from '../../token/settled.ts';
import { shownName } from '../../token/shown-name.ts';
import type { NameRow } from './contract.ts';
import type { NameGroup, NameRows } from './name-reads.ts';

export interface NameDeps extends SettledDeps {
  readonly readNames: (mark: number, window: number) => Promise<NameRows | undefined>;
  readonly unbroken: UnbrokenReader;
}

/** Rows of a list of any length, and the slot that they tell of. */
export interface NameList {
  readonly rows: readonly Written<NameRow>[];
  readonly since: number | undefined;
  readonly slot: number;
}

/**
 * The longest list of a window in seconds, out of the store, as it stands at one slot.
 *
 * @throws {ApiError} `warming_up` while there is no block.
 */
export async function readNameList({ readNames, unbroken, ...settled }: NameDeps, window: number): Promise<NameList> {
  // Before the rows: a hole that is filled while they are read is not in all of them.
  const begun = (await unbroken())?.since;
  const { rows, slot } = await readSettled(
    settled,
    () => readNames(settled.feed.committedSlot, window),
    (read) => Math.max(0, ...(read?.groups ?? []).map(({ newest }) => newest)),
  );
  if (rows === undefined) throw new ApiError('warming_up', { message: 'there is no block yet' });
  const since = begun !== undefined && begun > rows.from ? begun : undefined;
  return { rows: rows.groups.map(nameRow), since, slot };
}

export function namesBody({ rows, since, slot }: NameList, limit: number): Buffer {
  const known = since === undefined ? undefined : timeText(since);
  return stampBody(jsonBody({ data: rows.slice(0, limit), since: known }), slot);
}

function nameRow(group: NameGroup): Written<NameRow> {
  return {
    name: group.name,
    tokens: group.tokens,
    max_price: group.price_token === 0n ? undefined : quotePrice({ ...group, ...SOL }),
    top_mint: group.top_mint,
    top_symbol: shownName(group.top_symbol),
    last_at: timeText(group.last_time),
  };
}

const SOL = { quote_mint: '', quote_decimals: 9 } as const;
