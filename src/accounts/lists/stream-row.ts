import { randomBytes } from 'node:crypto';
import type { StreamsTable } from '../../store/accounts-db/schema.ts';
import type { SecretBox } from '../../store/accounts-db/secret-box.ts';
import { streamTokenPlace } from '../../store/accounts-db/secret-places.ts';
import type { Stream, StreamKind } from './contract-shapes.ts';
import { listTime } from './list-owner.ts';

/** A stream as it is stored. */
export type StreamRow = Omit<StreamsTable, 'id'> & { readonly id: number };

/** A stream as whoever serves its sockets knows it. */
export interface ServedStream {
  readonly id: number;
  readonly accountId: number;
  /** The wallet that it belongs to. */
  readonly owner: string;
  /** Digest that the stream's token is found by: another digest means another token. */
  readonly tokenCode: Uint8Array;
  /** Off: it opens nothing. */
  readonly active: boolean;
  readonly kinds: readonly StreamKind[];
  /** Wallets whose swaps it carries. None means no swap, not all. */
  readonly wallets: readonly string[];
  /** Creators whose tokens it carries; undefined for those of all. None means no token. */
  readonly devs: readonly string[] | undefined;
  /** Lamports of the smallest trade in its feed. */
  readonly minSol: bigint;
}

const TOKEN_BYTES = 32;
const TOKEN_SHAPE = /^[A-Za-z0-9_-]{43}$/;

/** Makes the token that a socket connects with: 32 random bytes in base64url. */
export function createStreamToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

/** True when the text has the shape of a token. */
export function isStreamToken(text: string): boolean {
  return TOKEN_SHAPE.test(text);
}

type StreamOfOwner = Pick<StreamRow, 'id' | 'account_id' | 'owner'>;

/** Columns of a stream that is there with another token. */
export function sealStreamToken(token: string, row: StreamOfOwner, secrets: Pick<SecretBox, 'seal' | 'codeOf'>) {
  return { token_sealed: secrets.seal(token, streamTokenPlace(row)), token_code: secrets.codeOf(token) };
}

/** Throws AccountsError `secret_unreadable`. */
export function openStreamToken(
  row: StreamOfOwner & Pick<StreamRow, 'token_sealed'>,
  secrets: Pick<SecretBox, 'open'>,
): string {
  return secrets.open(row.token_sealed, streamTokenPlace(row));
}

/** A stream as its owner sees it. Throws AccountsError `secret_unreadable`. */
export function toStream(row: StreamRow, secrets: Pick<SecretBox, 'open'>): Stream {
  return {
    id: row.id,
    token: openStreamToken(row, secrets),
    name: row.name,
    active: row.active === 1,
    kinds: readKinds(row),
    wallet_list_id: row.wallet_list_id,
    dev_list_id: row.dev_list_id,
    wallets: JSON.parse(row.wallets) as string[],
    devs: JSON.parse(row.devs) as string[],
    min_sol: row.min_sol,
    created_at: listTime(row.created_at),
    updated_at: listTime(row.updated_at),
  };
}

export function toServedStream(row: StreamRow): ServedStream {
  return {
    id: row.id,
    accountId: row.account_id,
    owner: row.owner,
    tokenCode: row.token_code,
    active: row.active === 1,
    kinds: readKinds(row),
    wallets: JSON.parse(row.wallets) as string[],
    devs: row.dev_list_id === '' ? undefined : (JSON.parse(row.devs) as string[]),
    minSol: BigInt(row.min_sol),
  };
}

function readKinds({ kinds }: Pick<StreamRow, 'kinds'>): StreamKind[] {
  return JSON.parse(kinds) as StreamKind[];
}
