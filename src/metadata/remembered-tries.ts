import type { Address } from '../chain/address.ts';
import { createBoundedMap } from '../kernel/bounded-map.ts';
import type { TokenMetadataRow } from '../store/clickhouse/schema/background-tables.ts';
import type { WantedUri } from './uris-wanted.ts';

/** Results of the last tries, and the tries that are to be made again. */
export class RememberedTries {
  readonly #recent;
  readonly #retries;

  /** So many of each. */
  constructor(capacity: number) {
    this.#recent = createBoundedMap<Address, TokenMetadataRow>(capacity);
    this.#retries = createBoundedMap<Address, WantedUri & { readonly at: number }>(capacity);
  }

  /** Documents that wait for another try. */
  get waiting(): number {
    return this.#retries.size;
  }

  get(mint: Address): TokenMetadataRow | undefined {
    return this.#recent.get(mint);
  }

  isWaiting(mint: Address): boolean {
    return this.#retries.has(mint);
  }

  add(row: TokenMetadataRow): void {
    this.#recent.set(row.mint, row);
    if (row.state !== 'waiting') this.#retries.delete(row.mint);
    else this.#retries.set(row.mint, { mint: row.mint, uri: row.uri, tries: row.tries, at: row.retry_at });
  }

  /** It is about to be tried again. */
  begun(mint: Address): void {
    this.#retries.delete(mint);
  }

  /** Those whose time has come, the one that waits longest first; `now` in Unix seconds. */
  due(now: number): readonly WantedUri[] {
    return [...this.#retries.rvalues()].flatMap((wanted) => (wanted !== undefined && wanted.at <= now ? [wanted] : []));
  }
}
