import type { Kysely, Transaction } from 'kysely';
import { ApiError } from '../../contract/errors.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { Engine } from '../../store/accounts-db/engine.ts';
import type { AccountsSchema } from '../../store/accounts-db/schema.ts';
import type { SecretBox } from '../../store/accounts-db/secret-box.ts';
import { assertKeyInUse } from '../../store/accounts-db/secrets.ts';
import type { AccountChange } from '../account-change.ts';
import { type AuditEntry, recordAudit } from '../audit.ts';
import { type AccountChangesFeed, recordChange } from '../changes.ts';
import { MAX_PLAN_STREAMS } from '../plans.ts';
import { DEFAULT_FEED_LAMPORTS } from './contract-limits.ts';
import type { Stream, StreamKind } from './contract-shapes.ts';
import { changeLists, type ListOwner } from './list-owner.ts';
import { type ResolvedLists, resolveLists } from './stream-lists.ts';
import { createStreamToken, type StreamRow, sealStreamToken, toStream } from './stream-row.ts';

export interface NewStream {
  readonly name: string;
  readonly kinds: readonly StreamKind[];
  /** Ids of the owner's groups; empty for none. */
  readonly walletListId: string;
  readonly devListId: string;
  /** Lamports; undefined for the default. */
  readonly minSol: bigint | undefined;
}

/** New settings of a stream. Undefined ones stay as they are. */
export interface StreamSettings {
  readonly name: string | undefined;
  readonly kinds: readonly StreamKind[] | undefined;
  readonly walletListId: string | undefined;
  readonly devListId: string | undefined;
  readonly minSol: bigint | undefined;
  readonly active: boolean | undefined;
}

/** The streams of whoever asks. Of another owner's there is nothing to be seen. */
export interface StreamStore {
  /** In the order in which they were made. */
  list(owner: ListOwner): Promise<readonly Stream[]>;
  /** @throws {ApiError} stream_limit, wallet_list_required, group_not_found, dev_list_invalid */
  create(owner: ListOwner, stream: NewStream): Promise<Stream>;
  /**
   * Sets a stream and reads its lists again; undefined when there is no such stream.
   * @throws {ApiError} wallet_list_required, group_not_found, dev_list_invalid
   */
  update(owner: ListOwner, id: number, settings: StreamSettings): Promise<Stream | undefined>;
  /** Gives it another token; undefined when there is no such stream. */
  rotate(owner: ListOwner, id: number): Promise<Stream | undefined>;
  /** False when there is no such stream. */
  delete(owner: ListOwner, id: number): Promise<boolean>;
}

export interface StreamStoreOptions {
  readonly db: Kysely<AccountsSchema>;
  readonly engine: Engine;
  readonly clock: Pick<Clock, 'now'>;
  readonly changes: Pick<AccountChangesFeed, 'tell'>;
  readonly secrets: SecretBox;
  /** Streams that an account of this plan may have. */
  readonly streamLimit: (plan: string) => number;
}

/** The part of an audit entry that a change of a stream gives. A token is as good as a key: never put one in it. */
type Audited = Pick<AuditEntry, 'action' | 'details'>;

/** The streams of the accounts database. Every change of one is told to whoever holds connections open, and audited. */
export function createStreamStore({
  db,
  engine,
  clock,
  changes,
  secrets,
  streamLimit,
}: StreamStoreOptions): StreamStore {
  /** Runs a change of one stream, and tells of it when it is through. */
  async function change<T>(
    owner: ListOwner,
    id: number,
    audited: Audited,
    make: (transaction: Transaction<AccountsSchema>, before: StreamRow) => Promise<T>,
  ): Promise<T | undefined> {
    const made = await changeLists(db, owner, async (transaction) => {
      const before = await findOwn(transaction, owner, id);
      if (before === undefined) return undefined;
      const result = await make(transaction, before);
      await record(transaction, owner, id, audited);
      return { result };
    });
    if (made === undefined) return undefined;
    changes.tell(changeOf(owner, id));
    return made.result;
  }

  async function record(
    transaction: Transaction<AccountsSchema>,
    owner: ListOwner,
    id: number,
    { action, details }: Audited,
  ): Promise<void> {
    const { accountId, keyId } = owner;
    await recordChange(transaction, changeOf(owner, id), clock);
    const actor = keyId === undefined ? 'session' : 'key';
    await recordAudit(transaction, { actor, action, accountId, keyId, details: { stream: id, ...details } }, clock);
  }

  return {
    async list({ accountId, wallet }) {
      const rows = await db
        .selectFrom('streams')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('owner', '=', wallet)
        .orderBy('id')
        .limit(MAX_PLAN_STREAMS)
        .execute();
      return rows.map((row) => toStream(row, secrets));
    },
    async create(owner, stream) {
      const row = await changeLists(db, owner, async (transaction, { plan }) => {
        await assertMayHaveMore(transaction, owner, streamLimit(plan));
        const settings = { ...stream, active: true };
        const resolved = await resolveLists(transaction, owner.wallet, settings, undefined);
        await assertKeyInUse(transaction, engine, secrets);
        const inserted = await insertStream(transaction, owner, { ...stream, resolved, secrets, now: clock.now() });
        await record(transaction, owner, inserted.id, { action: 'stream.create', details: { name: stream.name } });
        return inserted;
      });
      changes.tell(changeOf(owner, row.id));
      return toStream(row, secrets);
    },
    update: (owner, id, settings) =>
      change(owner, id, auditedOf(settings), async (transaction, before) => {
        const after = await applySettings(transaction, owner, before, settings, clock.now());
        await writeOwn(transaction, owner, id, after);
        return toStream({ ...before, ...after }, secrets);
      }),
    rotate: (owner, id) =>
      change(owner, id, { action: 'stream.rotate' }, async (transaction, before) => {
        await assertKeyInUse(transaction, engine, secrets);
        const after = { ...sealStreamToken(createStreamToken(), before, secrets), updated_at: clock.now() };
        await writeOwn(transaction, owner, id, after);
        return toStream({ ...before, ...after }, secrets);
      }),
    async delete(owner, id) {
      const deleted = await change(owner, id, { action: 'stream.delete' }, async (transaction) => {
        await transaction
          .deleteFrom('streams')
          .where('id', '=', id)
          .where('account_id', '=', owner.accountId)
          .where('owner', '=', owner.wallet)
          .execute();
        return true;
      });
      return deleted === true;
    },
  };
}

function changeOf({ accountId }: ListOwner, streamId: number): AccountChange {
  return { kind: 'stream', accountId, streamId };
}

/** Settings as an audit entry names them, each as one value. */
function auditedOf({ name, kinds, walletListId, devListId, minSol, active }: StreamSettings): Audited {
  const set = {
    name,
    kinds: kinds?.join(),
    wallet_list_id: walletListId,
    dev_list_id: devListId,
    min_sol: minSol?.toString(),
    active,
  };
  const details: Record<string, string | boolean> = {};
  for (const [field, value] of Object.entries(set)) if (value !== undefined) details[field] = value;
  return { action: 'stream.change', details };
}

function findOwn(
  transaction: Transaction<AccountsSchema>,
  { accountId, wallet }: ListOwner,
  id: number,
): Promise<StreamRow | undefined> {
  return transaction
    .selectFrom('streams')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('owner', '=', wallet)
    .executeTakeFirst();
}

async function writeOwn(
  transaction: Transaction<AccountsSchema>,
  { accountId, wallet }: ListOwner,
  id: number,
  after: Partial<Omit<StreamRow, 'id'>>,
): Promise<void> {
  await transaction
    .updateTable('streams')
    .set(after)
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('owner', '=', wallet)
    .execute();
}

async function assertMayHaveMore(
  transaction: Transaction<AccountsSchema>,
  { accountId }: ListOwner,
  limit: number,
): Promise<void> {
  const { count } = await transaction
    .selectFrom('streams')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  const used = Number(count);
  if (used >= limit) throw new ApiError('stream_limit', { details: { limit, used } });
}

async function insertStream(
  transaction: Transaction<AccountsSchema>,
  owner: ListOwner,
  stream: NewStream & { readonly resolved: ResolvedLists; readonly secrets: SecretBox; readonly now: number },
): Promise<StreamRow> {
  const { name, kinds, walletListId, devListId, minSol = DEFAULT_FEED_LAMPORTS, resolved, secrets, now } = stream;
  const token = createStreamToken();
  const values = {
    account_id: owner.accountId,
    owner: owner.wallet,
    // Sealed for a row that has its id.
    token_sealed: Buffer.alloc(0),
    token_code: secrets.codeOf(token),
    name,
    active: 1,
    kinds: JSON.stringify(kinds),
    wallet_list_id: walletListId,
    dev_list_id: devListId,
    wallets: JSON.stringify(resolved.wallets),
    devs: JSON.stringify(resolved.devs),
    min_sol: String(minSol),
    created_at: now,
    updated_at: now,
  };
  const { id } = await transaction.insertInto('streams').values(values).returning('id').executeTakeFirstOrThrow();
  const row = { id, ...values, ...sealStreamToken(token, { id, ...values }, secrets) };
  await writeOwn(transaction, owner, id, { token_sealed: row.token_sealed });
  return row;
}

/** Applies new settings to a stream and reads its lists again. */
async function applySettings(
  transaction: Transaction<AccountsSchema>,
  { wallet: owner }: ListOwner,
  before: StreamRow,
  settings: StreamSettings,
  now: number,
) {
  const kinds = settings.kinds ?? (JSON.parse(before.kinds) as StreamKind[]);
  const walletListId = settings.walletListId ?? before.wallet_list_id;
  const devListId = settings.devListId ?? before.dev_list_id;
  const active = settings.active ?? before.active === 1;
  const resolved = await resolveLists(transaction, owner, { kinds, walletListId, devListId, active }, before);
  return {
    name: settings.name ?? before.name,
    active: active ? 1 : 0,
    kinds: JSON.stringify(kinds),
    wallet_list_id: walletListId,
    dev_list_id: devListId,
    wallets: JSON.stringify(resolved.wallets),
    devs: JSON.stringify(resolved.devs),
    min_sol: settings.minSol === undefined ? before.min_sol : String(settings.minSol),
    updated_at: now,
  };
}
