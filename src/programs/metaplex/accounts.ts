import type { Address } from '../../chain/address.ts';
import { addressBytes } from '../../chain/keys/address-table.ts';
import { findProgramAddress } from '../../chain/keys/pda.ts';
import { METADATA_PROGRAM } from '../../chain/well-known.ts';
import { compileAccountReader } from '../account-reader.ts';
import type { LayoutTable } from '../layout.ts';

/** Accounts of Metaplex Token Metadata, which keeps what an SPL mint is called. One byte tells their kind. */
export const METAPLEX_ACCOUNTS = {
  Metadata: {
    discriminator: '04',
    fields: { updateAuthority: 'address', mint: 'address', name: 'string', symbol: 'string', uri: 'string' },
  },
} as const satisfies LayoutTable;

/** Name, symbol and URI of a mint, wherever they are written. */
export interface TokenNames {
  readonly mint: Address;
  readonly name: string;
  readonly symbol: string;
  readonly uri: string;
}

const read = compileAccountReader(METAPLEX_ACCOUNTS.Metadata);

/** Of an account that the metadata program owns. Its texts were filled up with zero bytes once. */
export function readMetadata(data: Uint8Array): TokenNames | undefined {
  const metadata = read(data);
  if (metadata === undefined) return undefined;
  const { mint, name, symbol, uri } = metadata;
  return { mint, name: withoutPadding(name), symbol: withoutPadding(symbol), uri: withoutPadding(uri) };
}

function withoutPadding(text: string): string {
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

const SEED = new TextEncoder().encode('metadata');

/** Address of a mint's metadata. */
export function metadataAddress(mint: Address): Address {
  return findProgramAddress([SEED, addressBytes(METADATA_PROGRAM), addressBytes(mint)], METADATA_PROGRAM).address;
}
