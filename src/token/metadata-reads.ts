import { Type } from 'typebox';
import type { Address } from '../chain/address.ts';
import type { TokenMetadata } from '../contract/token.ts';
import type { Written } from '../contract/written.ts';
import type { StoreClient } from '../store/clickhouse/client.ts';
import { TOKEN_METADATA, type TokenMetadataRow } from '../store/clickhouse/schema/background-tables.ts';
import { defineRowQuery } from '../store/query.ts';

/** Fields of a token's document. Fields that it does not set are ''. */
export type DocumentTexts = Readonly<
  Pick<TokenMetadataRow, 'image' | 'twitter' | 'website' | 'telegram' | 'description'>
>;

/** The fields that are set, in the order of the contract. */
export function documentFields(said: DocumentTexts): Written<TokenMetadata> {
  return {
    image: said.image || undefined,
    twitter: said.twitter || undefined,
    website: said.website || undefined,
    telegram: said.telegram || undefined,
    description: said.description || undefined,
  };
}

const metadata = defineRowQuery({
  sql: new URL('./token-metadata.sql', import.meta.url),
  params: Type.Object({ mints: Type.Array(Type.String()) }),
  layout: TOKEN_METADATA,
});

const images = defineRowQuery({
  sql: new URL('./list-images.sql', import.meta.url),
  params: Type.Object({ mints: Type.Array(Type.String()) }),
  layout: { name: 'list_images', columns: { mint: 'account', image: 'string' } },
});

const uris = defineRowQuery({
  sql: new URL('./token-uri.sql', import.meta.url),
  params: Type.Object({ mint: Type.String() }),
  layout: { name: 'token_uri', columns: { uri: 'string' } },
});

/** Rows of the documents of some mints, whatever their state; mints whose document was never asked for are left out. */
export async function readTokenMetadata(
  client: StoreClient,
  mints: readonly Address[],
): Promise<ReadonlyMap<Address | '', TokenMetadataRow>> {
  if (mints.length === 0) return new Map();
  return new Map((await metadata(client, { mints: [...mints] })).map((row) => [row.mint, row]));
}

/** Images of some mints, without those that have none. */
export async function readImages(
  client: StoreClient,
  mints: readonly Address[],
): Promise<ReadonlyMap<Address | '', string>> {
  if (mints.length === 0) return new Map();
  return new Map((await images(client, { mints: [...mints] })).map(({ mint, image }) => [mint, image]));
}

/** The URI that a token was created with, or that its accounts tell; '' when it has none, undefined when nothing is known of it. */
export async function readTokenUri(client: StoreClient, mint: Address): Promise<string | undefined> {
  return (await uris(client, { mint }))[0]?.uri;
}
