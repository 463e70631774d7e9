import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { defineRowQuery, SHARED_READ_SECONDS } from '../store/query.ts';

const LAYOUT = { name: 'uris_wanted', columns: { mint: 'account', uri: 'string', tries: 'u8' } } as const;
const page = { window: Type.Integer(), now: Type.Integer(), limit: Type.Integer() };

const created = defineRowQuery({
  sql: new URL('./uris-wanted.sql', import.meta.url),
  params: Type.Object({ ...page, offset: Type.Integer() }),
  layout: LAYOUT,
  maxSeconds: SHARED_READ_SECONDS,
});

const hydrated = defineRowQuery({
  sql: new URL('./hydrated-uris-wanted.sql', import.meta.url),
  params: Type.Object({ ...page, since: Type.Integer() }),
  layout: LAYOUT,
  maxSeconds: SHARED_READ_SECONDS,
});

export interface WantedUri {
  readonly mint: Address;
  readonly uri: string;
  /** Failed ones until now. */
  readonly tries: number;
}

export interface WantedWindow {
  /** Tokens that are looked at. */
  readonly window: number;
  /** Unix seconds. */
  readonly now: number;
  readonly limit: number;
}

/** Of the newest created tokens but `offset` those whose documents are to be read now, newest first. */
export async function findCreatedUris(
  client: StoreClient,
  of: WantedWindow & { readonly offset: number },
): Promise<readonly WantedUri[]> {
  return created(client, { ...of });
}

/** The same of tokens that the chain's accounts told of since a time, Unix seconds. */
export async function findHydratedUris(
  client: StoreClient,
  of: WantedWindow & { readonly since: number },
): Promise<readonly WantedUri[]> {
  return hydrated(client, { ...of });
}
