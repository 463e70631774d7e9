import { readJson, type StoreClient } from '../client.ts';
import type { LeaseHolder } from './writer-fence.ts';

/** A writer as the table `writer_lease` shows it. */
export interface LeaseRow extends LeaseHolder {
  /** Counts how often it was renewed. */
  readonly renewal: number;
  readonly released: boolean;
}

/** The holder of a lease, and the writers before it. Plain data. */
export interface LeaseTerm extends LeaseHolder {
  /** Newest epoch of a writer with another outbox than ours, 0 when there was none. Since then only flushes of ours were sent. */
  readonly othersEpoch: number;
  /** A writer with another outbox went without letting go, and none behind it has let go either. */
  readonly isAfterLoss: boolean;
}

/** A writer's name in the lease, which ends with that of its outbox. */
export function leaseOwner(process: string, outbox: string): string {
  return `${process}:${outbox}`;
}

export async function writeLease(client: StoreClient, row: LeaseRow): Promise<void> {
  await client.insert({
    table: 'writer_lease',
    values: [row],
    format: 'JSONEachRow',
    columns: ['epoch', 'owner', 'renewal', 'released'],
  });
}

/** The newest holder: of those who took the same epoch, the first by name. */
export async function readLease(client: StoreClient): Promise<LeaseRow | undefined> {
  const [row] = await readJson<LeaseRow>(
    client,
    `SELECT toUInt32(epoch) AS epoch, owner, toUInt32(max(writer_lease.renewal)) AS renewal, max(writer_lease.released) AS released
     FROM writer_lease GROUP BY epoch, owner ORDER BY epoch DESC, owner LIMIT 1`,
  );
  return row;
}

/** True when others have taken the same epoch. */
export async function hasRival(client: StoreClient, { epoch, owner }: LeaseHolder): Promise<boolean> {
  const [row] = await readJson<{ rivals: string }>(
    client,
    'SELECT count() AS rivals FROM writer_lease WHERE epoch = {epoch:UInt64} AND owner != {owner:String}',
    { epoch, owner },
  );
  return row?.rivals !== '0';
}

/** The holder's term, by the writers up to its epoch. */
export async function readTerm(client: StoreClient, holder: LeaseHolder, outbox: string): Promise<LeaseTerm> {
  const [row] = await readJson<{ others: number; let_go: number; lost: number }>(
    client,
    `SELECT toUInt32(maxIf(epoch, NOT is_ours)) AS others, toUInt32(maxIf(epoch, is_let_go)) AS let_go,
       toUInt32(maxIf(epoch, NOT is_ours AND NOT is_let_go)) AS lost
     FROM (
       SELECT epoch, endsWith(owner, {ours:String}) AS is_ours, max(released) AS is_let_go
       FROM writer_lease WHERE epoch <= {epoch:UInt64} AND owner != {owner:String} GROUP BY epoch, owner
     )`,
    { ...holder, ours: leaseOwner('', outbox) },
  );
  const { others = 0, let_go = 0, lost = 0 } = row ?? {};
  return { ...holder, othersEpoch: others, isAfterLoss: lost > let_go };
}
