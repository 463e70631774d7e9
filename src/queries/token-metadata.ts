import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import { TOKEN_METADATA, type TokenMetadataRow } from '../store/clickhouse/background-tables.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { defineRowQuery } from '../store/query.ts';

const metadata = defineRowQuery({
  sql: new URL('./token-metadata.sql', import.meta.url),
  params: Type.Object({ mints: Type.Array(Type.String()) }),
  layout: TOKEN_METADATA,
});

const uris = defineRowQuery({
  sql: new URL('./token-uri.sql', import.meta.url),
  params: Type.Object({ mint: Type.String() }),
  layout: { name: 'token_uri', columns: { uri: 'string' } },
});

/** What is known of the documents of some mints, whatever its state; without those that were never asked for. */
export async function readTokenMetadata(
  client: StoreClient,
  mints: readonly Address[],
): Promise<ReadonlyMap<Address | '', TokenMetadataRow>> {
  if (mints.length === 0) return new Map();
  return new Map((await metadata(client, { mints: [...mints] })).map((row) => [row.mint, row]));
}

/** The URI that a token was created with, or that its accounts tell; '' when it has none, undefined when nothing is known of it. */
export async function readTokenUri(client: StoreClient, mint: Address): Promise<string | undefined> {
  return (await uris(client, { mint }))[0]?.uri;
}
