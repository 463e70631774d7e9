import type { Clock } from '../kernel/clock.ts';
import type { AccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import type { ChangesTable } from '../store/accounts-db/schema.ts';
import type { AccountChange, EverythingChanged } from './account-change.ts';

/** Reads what is new in the table of changes. */
export interface ChangeReader {
  /**
   * Returns changes that became visible since the last read that succeeded. Rejects when the database cannot be read;
   * the next read makes up for it.
   */
  read(): Promise<readonly (AccountChange | EverythingChanged)[]>;
}

/** Rows of one statement, and statements of one read: beyond, everything is told to have changed. */
const PAGE_ROWS = 1_000;
const MAX_PAGES = 10;
/** Ids that may still come. */
const MAX_GAPS = 1_000;
/** Milliseconds that missing ids are waited for: longer than the database lets a transaction stay open. */
const GAP_MS = 60_000;
/** Ids before the newest at the start that another process's open transaction may hold. */
const START_OVERLAP = 256;
/** Milliseconds after which changes are swept, */
const KEPT_MS = 3_600_000;
/** but for the newest ids: twice what a read tells one by one, so that nothing it has not read is gone, whatever anybody's clock says. */
const KEPT_IDS = 2 * PAGE_ROWS * MAX_PAGES;
const SWEPT_ROWS = 1_000;

/**
 * A reader that begins with what is newest. Ids are given out in order, but
 * transactions of several connections commit in another: an id that was skipped is
 * asked for again until it comes or its transaction cannot be open any more.
 */
export function createChangeReader(db: AccountsDatabase['db'], clock: Clock): ChangeReader {
  let position: number | undefined;
  /** Ids below the position that were not there, with the monotonic time at which they are given up. */
  const gaps = new Map<number, number>();
  /** Changes that were read and not told, because the read broke off behind them. */
  let untold: AccountChange[] = [];
  let whole = true;

  /** False when some of the skipped ids had to be given up at once. */
  function advance(from: number, to: number): boolean {
    const first = Math.max(from + 1, to - MAX_GAPS);
    const until = clock.elapsed() + GAP_MS;
    for (let id = first; id < to; id += 1) gaps.set(id, until);
    let isWhole = first === from + 1;
    while (gaps.size > MAX_GAPS) {
      gaps.delete(gaps.keys().next().value ?? 0);
      isWhole = false;
    }
    return isWhole;
  }

  async function readGaps(): Promise<readonly AccountChange[]> {
    if (gaps.size === 0) return [];
    const startedAt = clock.elapsed();
    const rows = await db
      .selectFrom('changes')
      .select(CHANGE_COLUMNS)
      .where('id', 'in', [...gaps.keys()])
      .execute();
    for (const { id } of rows) gaps.delete(id);
    // Only now: this process may have stood still, or been cut off, for longer than they are waited for.
    for (const [id, until] of gaps) if (until <= startedAt) gaps.delete(id);
    return rows.map(toChange);
  }

  /** Reads on from the position. */
  async function readNew(from: number): Promise<void> {
    let last = from;
    for (let page = 1; ; page += 1) {
      const rows = await db
        .selectFrom('changes')
        .select(CHANGE_COLUMNS)
        // The newest is never swept: where the last one that was read is gone and nothing came behind it, ids went back.
        .where('id', '>=', last)
        .orderBy('id')
        .limit(PAGE_ROWS)
        .execute();
      if (rows.length === 0 && last > 0) return startAgain();
      for (const row of rows) {
        if (row.id === last) continue;
        whole = advance(last, row.id) && whole;
        last = row.id;
        position = last;
        untold.push(toChange(row));
      }
      if (rows.length < PAGE_ROWS) break;
      if (page < MAX_PAGES) continue;
      position = await newestId(db);
      whole = false;
      return;
    }
    if (last - from > PAGE_ROWS * MAX_PAGES) whole = false;
  }

  function startAgain(): void {
    position = undefined;
    gaps.clear();
    whole = false;
  }

  return {
    async read() {
      position ??= Math.max(0, (await newestId(db)) - START_OVERLAP);
      untold.push(...(await readGaps()));
      await readNew(position);
      const told = whole ? untold : [EVERYTHING];
      untold = [];
      whole = true;
      return told;
    },
  };
}

/** Forgets changes that every process has long read, some rows a step; true when there may be more. The newest ids stay, for whoever has not read them. */
export async function sweepChanges(db: AccountsDatabase['db'], clock: Pick<Clock, 'now'>): Promise<boolean> {
  const newest = await newestId(db);
  const old = await db
    .selectFrom('changes')
    .select('id')
    .where('at', '<', clock.now() - KEPT_MS)
    .where('id', '<', newest - KEPT_IDS)
    .orderBy('at')
    .limit(SWEPT_ROWS)
    .execute();
  if (old.length === 0) return false;
  await db
    .deleteFrom('changes')
    .where(
      'id',
      'in',
      old.map(({ id }) => id),
    )
    .execute();
  return old.length === SWEPT_ROWS;
}

const EVERYTHING: EverythingChanged = { kind: 'everything' };
const CHANGE_COLUMNS = ['id', 'kind', 'account_id', 'key_id', 'stream_id'] as const;
type ChangeRow = Pick<ChangesTable, 'kind' | 'account_id' | 'key_id' | 'stream_id'>;

async function newestId(db: AccountsDatabase['db']): Promise<number> {
  const row = await db.selectFrom('changes').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst();
  return row?.id ?? 0;
}

function toChange({ kind, account_id: accountId, key_id: keyId, stream_id: streamId }: ChangeRow): AccountChange {
  if (kind === 'key') return { kind, accountId, keyId: keyId ?? 0 };
  if (kind === 'stream') return { kind, accountId, streamId: streamId ?? 0 };
  return { kind, accountId };
}
