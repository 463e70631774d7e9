import type { Address } from '../chain/address.ts';
import { createBoundedMap } from '../kernel/bounded-map.ts';
import type { Clock } from '../kernel/clock.ts';
import type { TokenMetadataRow } from '../store/clickhouse/schema/background-tables.ts';
import type { MetadataCollector } from './collector.ts';
import { within } from './image-places.ts';

/**
 * State of a mint's document when somebody asks:
 * `stored` it was read; `none` there is none, for good; `no_uri` the token names none;
 * `retry` it could not be read and waits for another try; `pending` it is being read, or the mint may be
 * indexed any moment; `unknown` the mint has been asked for in vain for a while.
 */
export type Finding =
  | { readonly state: 'stored'; readonly row: TokenMetadataRow }
  | { readonly state: 'none' | 'no_uri' | 'retry' | 'pending' | 'unknown' };

export interface MetadataReads {
  row(mint: Address): Promise<TokenMetadataRow | undefined>;
  /** '' for a token without one, undefined for a mint of which nothing is known. */
  uri(mint: Address): Promise<string | undefined>;
}

export interface MetadataFinder {
  /** At hand; undefined when the store has to be asked. */
  ready(mint: Address): Finding | undefined;
  /** Waits at most {@link ANSWER_BUDGET_MS}, the read of the document included. */
  find(mint: Address): Promise<Finding>;
}

export interface MetadataFinderDeps {
  readonly reads: MetadataReads;
  /** Undefined where nothing is fetched: then only what is stored is told. */
  readonly collector: MetadataCollector | undefined;
  readonly clock: Clock;
  /** Unknown mints whose first question is remembered. */
  readonly rememberedMints?: number;
}

/** So long an answer may wait for what is not known yet. */
export const ANSWER_BUDGET_MS = 1_500;
/** An unknown mint may still be indexed so long after it was first asked for. */
const UNKNOWN_PENDING_MS = 120_000;
/** And is then taken for unknown so long without a look into the store. */
const UNKNOWN_KEPT_MS = 300_000;
/** Questions about an unknown mint share one look into the store. */
const LOOK_EVERY_MS = 1_000;
const MAX_REMEMBERED = 20_000;

interface Stranger {
  readonly firstAsked: number;
  /** No look into the store before that. */
  restUntil: number;
}

export function createMetadataFinder(deps: MetadataFinderDeps): MetadataFinder {
  const { reads, collector, clock, rememberedMints = MAX_REMEMBERED } = deps;
  const strangers = createBoundedMap<Address, Stranger>(rememberedMints);

  function strange(mint: Address): Finding {
    const now = clock.elapsed();
    const known = strangers.get(mint) ?? { firstAsked: now, restUntil: now };
    const isPending = now - known.firstAsked < UNKNOWN_PENDING_MS;
    known.restUntil = now + (isPending ? LOOK_EVERY_MS : UNKNOWN_KEPT_MS);
    strangers.set(mint, known);
    return { state: isPending ? 'pending' : 'unknown' };
  }

  /** The last answer about an unknown mint, kept for a moment, or for minutes once the mint counts as unknown. */
  function resting(mint: Address): Finding | undefined {
    const known = strangers.get(mint);
    const now = clock.elapsed();
    if (known === undefined || now >= known.restUntil) return undefined;
    return { state: now - known.firstAsked < UNKNOWN_PENDING_MS ? 'pending' : 'unknown' };
  }

  async function ask(mint: Address, collect: MetadataCollector | undefined): Promise<Finding> {
    const joined = collect?.join(mint);
    if (joined !== undefined) return tried(await joined);
    const known = resting(mint);
    if (known !== undefined) return known;
    const row = await reads.row(mint);
    if (row !== undefined) {
      collect?.resume(row);
      return findingOf(row);
    }
    const uri = await reads.uri(mint);
    if (uri === undefined) return strange(mint);
    strangers.delete(mint);
    if (collect === undefined) return { state: uri === '' ? 'no_uri' : 'unknown' };
    return tried(await collect.read({ mint, uri, tries: 0 }));
  }

  function ready(mint: Address): Finding | undefined {
    const row = collector?.latest(mint);
    return row === undefined ? undefined : findingOf(row);
  }

  return {
    ready,
    async find(mint) {
      return ready(mint) ?? (await within(ask(mint, collector), ANSWER_BUDGET_MS, clock)) ?? { state: 'pending' };
    },
  };
}

/** Without a try others came before it. */
function tried(row: TokenMetadataRow | undefined): Finding {
  return row === undefined ? { state: 'pending' } : findingOf(row);
}

function findingOf(row: TokenMetadataRow): Finding {
  if (row.state === 'stored') return { state: 'stored', row };
  if (row.state === 'waiting') return { state: 'retry' };
  return { state: row.outcome === 'no_uri' ? 'no_uri' : 'none' };
}
