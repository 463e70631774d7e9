import { LRUCache } from 'lru-cache';
import type { Address } from '../chain/address.ts';
import type { Clock } from '../kernel/clock.ts';
import type { Logger } from '../kernel/log.ts';
import type { RpcClient } from '../sources/json-rpc.ts';
import { RPC_CODES, RpcAnswerTooLarge, RpcError, RpcHttpError } from '../sources/rpc-errors.ts';
import { isTokenProgram, readHoldings, type TokenHoldings, TooManyHolders } from './holder-snapshot.ts';

/** Holdings and when they were asked for, Unix milliseconds. */
export interface KeptHoldings extends TokenHoldings {
  readonly readAt: number;
}

/** Reads holders from a node, beside the questions of callers. */
export interface HolderSnapshotReader {
  /** One of the last minute when it is at hand. Otherwise the node is asked, unless it refused or the token is too large. */
  find(token: { readonly mint: Address; readonly tokenProgram: Address | '' }): KeptHoldings | undefined;
  /** Gives up what is under way. */
  stop(): void;
}

/** A snapshot is asked for again after so long, … */
const REUSE_MS = 30_000;
/** … and given until the next one is there, so long at most. */
const KEEP_MS = 60_000;
/** A node that refuses the call, or a mint that is too large, is left alone for so long. */
const REFUSED_MS = 600_000;
/** After trouble on the way, and after an answer that cannot be. */
const TROUBLE_MS = 60_000;
const TIMEOUT_MS = 20_000;
/** Nodes refuse mints that are too large for them, each in words of its own: so many in a row are the node. */
const REFUSALS_OF_A_NODE = 3;
/** Calls at once: they are the dearest that a node answers. Whoever comes then is served without. */
const MAX_UNDER_WAY = 2;
/** Balances kept of all tokens together, one at least for each, the ones asked for the longest ago going first; and tokens remembered. */
const MAX_KEPT_BALANCES = 250_000;
const MAX_TOKENS = 2_000;

interface Entry {
  kept: KeptHoldings | undefined;
  /** By the monotonic clock: not asked for again before. */
  quietUntil: number;
  /** By the monotonic clock: when the snapshot was read. */
  readAt: number;
}

export interface HolderSnapshotsDeps {
  readonly rpc: Pick<RpcClient, 'call'>;
  readonly clock: Clock;
  readonly log: Logger;
}

export function createHolderSnapshots({ rpc, clock, log }: HolderSnapshotsDeps): HolderSnapshotReader {
  const entries = new LRUCache<Address, Entry>({
    max: MAX_TOKENS,
    maxSize: MAX_KEPT_BALANCES,
    sizeCalculation: ({ kept }) => Math.max(1, kept?.balances.size ?? 0),
  });
  const stopping = new AbortController();
  let underWay = 0;
  let refusals = 0;
  let nodeQuietUntil = Number.NEGATIVE_INFINITY;

  function entryOf(mint: Address): Entry {
    const known = entries.get(mint);
    if (known !== undefined) return known;
    const entry = { kept: undefined, quietUntil: Number.NEGATIVE_INFINITY, readAt: 0 };
    entries.set(mint, entry);
    return entry;
  }

  function keep(mint: Address, entry: Entry, kept: KeptHoldings | undefined): void {
    entry.kept = kept;
    // An entry that is there already is not weighed again: it is taken out first.
    entries.delete(mint);
    entries.set(mint, entry);
  }

  async function read(entry: Entry, mint: Address, tokenProgram: Address): Promise<void> {
    underWay += 1;
    // Nobody else asks for it meanwhile.
    entry.quietUntil = Number.POSITIVE_INFINITY;
    const readAt = clock.now();
    try {
      const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const holdings = await readHoldings(rpc, mint, tokenProgram, signal);
      refusals = 0;
      // A token that is asked for is held by somebody, its curve or its pool at least.
      if (holdings.balances.size === 0) entry.quietUntil = clock.elapsed() + TROUBLE_MS;
      else {
        entry.readAt = clock.elapsed();
        entry.quietUntil = entry.readAt + REUSE_MS;
        if (entries.peek(mint) === entry) keep(mint, entry, { ...holdings, readAt });
      }
    } catch (error) {
      takeNote(entry, mint, error);
    } finally {
      underWay -= 1;
    }
  }

  function takeNote(entry: Entry, mint: Address, error: unknown): void {
    if (stopping.signal.aborted) return;
    const isLarge = error instanceof TooManyHolders || error instanceof RpcAnswerTooLarge;
    const isRefused = error instanceof RpcError || error instanceof RpcHttpError;
    entry.quietUntil = clock.elapsed() + (isLarge || isRefused ? REFUSED_MS : TROUBLE_MS);
    if (isRefused) refusals += 1;
    const isUnknownCall = error instanceof RpcError && error.code === RPC_CODES.methodNotFound;
    if (isUnknownCall || error instanceof RpcHttpError || refusals >= REFUSALS_OF_A_NODE) {
      nodeQuietUntil = entry.quietUntil;
      refusals = 0;
    }
    log.info({ mint, err: String(error) }, 'holders could not be read from the chain; trades tell of them meanwhile');
  }

  return {
    find({ mint, tokenProgram }) {
      if (!isTokenProgram(tokenProgram)) return undefined;
      const entry = entryOf(mint);
      const now = clock.elapsed();
      if (entry.kept !== undefined && now - entry.readAt > KEEP_MS) keep(mint, entry, undefined);
      const mayAsk = now >= entry.quietUntil && now >= nodeQuietUntil && underWay < MAX_UNDER_WAY;
      // It takes note of its own trouble.
      if (mayAsk && !stopping.signal.aborted) void read(entry, mint, tokenProgram);
      return entry.kept;
    },
    stop: () => stopping.abort(),
  };
}
