import type { Clock } from '../kernel/clock.ts';
import type { AccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import type { ChangesTable } from '../store/accounts-db/schema.ts';
import type { AccountChange, EverythingChanged } from './changes.ts';

/** Reads what is new in the table of changes. */
export interface ChangeReader {
  /** What became visible since the last read that succeeded. Rejects when the database cannot be read; the next read makes up for it. */
  read(): Promise<readonly (AccountChange | EverythingChanged)[]>;
}

/** Rows of one statement, and statements of one read: beyond, everything is told to have changed. */
const PAGE_ROWS = 1_000;
const MAX_PAGES = 10;
/** Ids that may still come. */
const MAX_GAPS = 1_000;
/** How long they are waited for: longer than the database lets a transaction stay open. */
const GAP_MS = 60_000;
/** Ids before the newest at the start that another process's open transaction may hold. */
const START_OVERLAP = 256;
/** Changes older than that are swept. */
const KEPT_MS = 3_600_000;
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
  let readAt = clock.now();

  /** False when some of the skipped ids had to be given up at once. */
  function advance(from: number, to: number): boolean {
    const first = Math.max(from + 1, to - MAX_GAPS);
    const until = clock.elapsed() + GAP_MS;
    for (let id = first; id < to; id += 1) gaps.set(id, until);
    let whole = first === from + 1;
    while (gaps.size > MAX_GAPS) {
      gaps.delete(gaps.keys().next().value ?? 0);
      whole = false;
    }
    return whole;
  }

  async function readGaps(): Promise<readonly AccountChange[]> {
    for (const [id, until] of gaps) if (until <= clock.elapsed()) gaps.delete(id);
    if (gaps.size === 0) return [];
    const rows = await db
      .selectFrom('changes')
      .select(CHANGE_COLUMNS)
      .where('id', 'in', [...gaps.keys()])
      .execute();
    for (const { id } of rows) gaps.delete(id);
    return rows.map(toChange);
  }

  return {
    async read() {
      const startedAt = clock.now();
      // By the time of day: a machine that slept has not counted on.
      const missedSwept = startedAt - readAt > KEPT_MS / 2;
      position ??= Math.max(0, (await newestId(db)) - START_OVERLAP);
      const told: (AccountChange | EverythingChanged)[] = [...(await readGaps())];
      let whole = !missedSwept;
      for (let page = 1; ; page += 1) {
        const rows = await db
          .selectFrom('changes')
          .select(CHANGE_COLUMNS)
          .where('id', '>', position)
          .orderBy('id')
          .limit(PAGE_ROWS)
          .execute();
        for (const row of rows) {
          whole = advance(position, row.id) && whole;
          position = row.id;
          told.push(toChange(row));
        }
        if (rows.length < PAGE_ROWS) break;
        if (page < MAX_PAGES) continue;
        position = await newestId(db);
        whole = false;
        break;
      }
      readAt = startedAt;
      return whole ? told : [{ kind: 'everything' }];
    },
  };
}

/** Forgets changes that every process has long read, some rows a step; true when there may be more. The newest stays, so that ids go on from it. */
export async function sweepChanges(db: AccountsDatabase['db'], clock: Pick<Clock, 'now'>): Promise<boolean> {
  const newest = await newestId(db);
  const old = await db
    .selectFrom('changes')
    .select('id')
    .where('at', '<', clock.now() - KEPT_MS)
    .where('id', '<', newest)
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
