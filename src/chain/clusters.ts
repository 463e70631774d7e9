import { decodeBase58 } from './keys/base58.ts';

/** The simulated chain, whatever its seed. No base58 text of 32 bytes, so that it is no genesis hash. */
export const SIMULATED_CHAIN = 'simulator';

/** Genesis hashes of the public clusters: what `getGenesisHash` answers there. */
const GENESIS_HASHES: Readonly<Record<string, string>> = {
  mainnet: '5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d',
  devnet: 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG',
  testnet: '4uhcVJyU9pJkvQyS88uRDiswHXSCkY3zQawwpjk2NsNY',
};

/** A chain by its name or its genesis hash: the genesis hash, or {@link SIMULATED_CHAIN}; undefined for any other text. */
export function readChain(text: string): string | undefined {
  if (text === SIMULATED_CHAIN) return text;
  return Object.hasOwn(GENESIS_HASHES, text) ? GENESIS_HASHES[text] : readGenesisHash(text);
}

/** A genesis hash; undefined when it is none. */
export function readGenesisHash(value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^[1-9A-HJ-NP-Za-km-z]{32,44}$/.test(value)) return undefined;
  return decodeBase58(value).length === 32 ? value : undefined;
}

/** Name by which people call a chain. */
export function chainName(chain: string): string {
  const [name] = Object.entries(GENESIS_HASHES).find(([, hash]) => hash === chain) ?? [];
  if (name !== undefined) return name;
  return chain === SIMULATED_CHAIN ? 'the simulated chain' : `the chain of genesis hash ${chain}`;
}
