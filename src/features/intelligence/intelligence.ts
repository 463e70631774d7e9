import { createRefreshed } from '../../books/refreshed.ts';
import type { Address } from '../../chain/address.ts';
import { isProtocolActor } from '../../programs/registry/index.ts';
import { firstSwapsSection } from '../../token/first-swaps.ts';
import { createStoreHistory } from '../../token/history.ts';
import { creatorOf, decimalsOf, pricingSwap, quoteOf, type TokenState } from '../../token/state.ts';
import { tokenSupply } from '../../token/supply.ts';
import { type PositionSums, readPositionSums } from '../holders/position-reads.ts';
import { askedToken, type HolderSnapshots, snapshotHoldings } from '../holders/snapshot-rules.ts';
import { analyseLaunch } from '../launch/launch-rules.ts';
import { RECONCILED } from './balance-rules.ts';
import { COUNTED_LAUNCH_SWAPS } from './contract-limits.ts';
import type { TokenBodies, TokenBodiesDeps } from './counters.ts';
import { WHALE_SWAP_PCT } from './event-rules.ts';
import { readFoldedMark } from './folded-reads.ts';
import { type IntelligenceFrame, intelligenceBody } from './intelligence-body.ts';
import {
  MOST_POSITIONS,
  readFlows,
  readNotableMoves,
  readNotableSwaps,
  readPositions,
  readPositionsOf,
} from './intelligence-reads.ts';
import {
  analyseIntelligence,
  castOf,
  type Holdings,
  type Intelligence,
  type LaunchFacts,
  settleHoldings,
} from './intelligence-rules.ts';
import { type KnownMoney, readMoney } from './money-reads.ts';
import { readSlotMs } from './slot-reads.ts';
import { firstBuys, lastSnipeSlot } from './sniper-rules.ts';
import type { Cast } from './wallet-rules.ts';

/** Tokens whose answer is kept: about 50 KiB each. */
const CAPACITY = 500;
/** Swaps among which snipers are looked for: fewer than a launch's section holds. */
const SNIPED_SWAPS = 500;
/** First buyers whose funding is looked at beside the wallets that are listed. */
export const EARLY_BUYERS = 100;
/** Wallets whose doings are followed: launches have fewer. */
const MOST_FOLLOWED = 500;
/** A slot's length at a launch is measured again while slots behind it may still come. */
const SLOT_TIME_FRESH_MS = 60_000;
/** A flush that is under way has written positions and not yet moves: it is waited for so long. */
const FLUSH_WAIT_MS = 1_000;
const FLUSH_POLL_MS = 50;
/** More than any swap: where no supply is known, no swap is large. */
const NO_AMOUNT = 2n ** 64n - 1n;

export interface IntelligenceBodiesDeps extends TokenBodiesDeps {
  readonly snapshots: HolderSnapshots | undefined;
}

/** Answers about holders of tokens and their doings, as ready bytes, made again every few seconds while asked for. */
export function createIntelligence(deps: IntelligenceBodiesDeps): TokenBodies {
  const { client, reads, clock, shelf, committedSlot, stats, snapshots } = deps;
  const bodies = createRefreshed<Buffer>({ clock, capacity: CAPACITY });
  const history = createStoreHistory(client, clock);
  const slotTimes = createRefreshed<number | undefined>({
    clock,
    capacity: CAPACITY,
    freshMs: SLOT_TIME_FRESH_MS,
    reuseMs: SLOT_TIME_FRESH_MS,
  });

  async function launchFacts(state: TokenState): Promise<LaunchFacts> {
    const { mint, creation } = state;
    // Without its creation, the first swaps that are known are not the launch's.
    const swaps = creation === undefined ? [] : (await shelf.open(mint, firstSwapsSection(reads, mint))).swaps;
    const supply = tokenSupply(state);
    const analysis = analyseLaunch({ mint, creation, supply, swaps, limit: COUNTED_LAUNCH_SWAPS });
    if (creation === undefined) return { launch: undefined, analysis };
    const { value: slotMs } = await slotTimes.get(mint, () => readSlotMs(client, creation.slot));
    const ofSnipers = { createdSlot: creation.slot, slotMs };
    const seen = {
      swaps: swaps.slice(0, SNIPED_SWAPS),
      complete: swaps.length <= SNIPED_SWAPS,
      // Of a launch under way: so far.
      isWhole: await history.hasSwaps(creation, Math.min(lastSnipeSlot(ofSnipers), committedSlot())),
    };
    return { launch: { creator: creatorOf(state), ...ofSnipers, ...seen }, analysis };
  }

  /** The slot up to which positions that were just read and moves that are read now agree. */
  async function settledMark(newest: number): Promise<number> {
    for (let waited = 0; committedSlot() < newest && waited < FLUSH_WAIT_MS; waited += FLUSH_POLL_MS) {
      await clock.sleep(FLUSH_POLL_MS);
    }
    return newest;
  }

  async function readHoldings(
    state: TokenState,
    sums: PositionSums,
    facts: LaunchFacts,
  ): Promise<{ readonly holdings: Holdings; readonly mark: number; readonly isWhole: boolean }> {
    const { mint, creation } = state;
    const from = committedSlot();
    // Holes are filled and positions folded again beside this: what is whole before a read is in it.
    const [wasWhole, foldedMark] = await Promise.all([history.isWhole(creation, from), readFoldedMark(client, mint)]);
    const [venues, positions] = await Promise.all([
      stats.venues(mint),
      sums.wallets > MOST_POSITIONS ? undefined : readPositions(client, mint),
    ]);
    const newest = (positions ?? []).reduce((slot, row) => Math.max(slot, row.slot), from);
    const mark = await settledMark(newest);
    const isCovered = wasWhole && (await history.isWhole(creation, mark));
    const [flows, foldedSince] = await Promise.all([readFlows(client, mint, mark), readFoldedMark(client, mint)]);
    const isFolded = foldedMark !== undefined && foldedMark === foldedSince;
    const isWhole = isCovered && isFolded && positions !== undefined && flows !== undefined;
    const left = new Set(venues);
    const rows = {
      supply: tokenSupply(state),
      positions: positions ?? (await readPositionsOf(client, mint, launchWallets(facts))),
      flows: flows ?? [],
      isWhole,
      onchain: undefined,
      isNobody: (wallet: Address) => left.has(wallet) || isProtocolActor(wallet),
    };
    const holdings = settleHoldings(rows);
    // With more positions than are read, the results of most holders would not be known; folded out of order they are wrong.
    if (holdings.isTold || positions === undefined || !isFolded) return { holdings, mark, isWhole };
    const snapshot = snapshots?.find(askedToken(state));
    if (snapshot === undefined) return { holdings, mark, isWhole };
    return { holdings: settleHoldings({ ...rows, onchain: snapshotHoldings(snapshot, venues) }), mark, isWhole };
  }

  async function analyse(
    state: TokenState,
    pendingSums: Promise<PositionSums>,
    now: number,
  ): Promise<{ found: Intelligence; isWhole: boolean }> {
    const { mint } = state;
    const supply = tokenSupply(state);
    const [sums, facts] = await Promise.all([pendingSums, launchFacts(state)]);
    const { holdings, mark, isWhole } = await readHoldings(state, sums, facts);
    const money: KnownMoney = await readMoney(client, { holdings, facts, mark, mostBuyers: EARLY_BUYERS });
    const { cast } = castOf(facts, money.clusters, money.fundings);
    const followed = followedWallets(cast);
    const large = supply === undefined ? NO_AMOUNT : (supply * WHALE_SWAP_PCT + 99n) / 100n;
    const [swaps, moves] = await Promise.all([
      readNotableSwaps(client, mint, mark, followed, large),
      readNotableMoves(client, mint, mark, followed),
    ]);
    const last = pricingSwap(state);
    const price = last === undefined ? undefined : { quote: last.price_quote, token: last.price_token };
    const rows = { supply, price, holdings, facts, ...money, swaps, moves, buyers: sums.buyers, now };
    return { found: analyseIntelligence(rows), isWhole };
  }

  async function readSums(mint: Address): Promise<PositionSums> {
    return readPositionSums(client, mint, await stats.venues(mint));
  }

  async function make(state: TokenState): Promise<Buffer> {
    const madeAt = clock.now();
    const supported = quoteOf(state) === '';
    const pendingSums = readSums(state.mint);
    const [sums, { found, isWhole }] = await Promise.all([
      pendingSums,
      supported ? analyse(state, pendingSums, Math.floor(madeAt / 1_000)) : NOTHING_FOUND,
    ]);
    const frame: IntelligenceFrame = {
      mint: state.mint,
      madeAt,
      windowStart: state.creation?.time ?? sums.first_time,
      supported,
      partial: !isWhole,
      supplySource: supplySourceOf(state),
      sums,
      tokenDecimals: decimalsOf(state),
    };
    return intelligenceBody(frame, found);
  }

  return {
    ready: (mint) => bodies.ready(mint)?.value,
    async get(state) {
      const { value } = await bodies.get(state.mint, () => make(state));
      return value;
    },
  };
}

/** Of a token that trades in something else than SOL nothing is told that would have to be counted in it. */
const NOTHING_FOUND: { readonly found: Intelligence; readonly isWhole: boolean } = {
  isWhole: false,
  found: {
    holdings: { source: 'swap_estimate', walletBalances: new Map(), reconciliation: RECONCILED, isTold: false },
    pnl: undefined,
    snipers: undefined,
    wallets: [],
    events: [],
    pattern: 'insufficient_data',
  },
};

function supplySourceOf(state: TokenState): IntelligenceFrame['supplySource'] {
  if (tokenSupply(state) === undefined) return undefined;
  const isLaunched = state.creation !== undefined || (state.hydrated?.bonding_curve ?? '') !== '';
  return isLaunched ? 'standard_supply_estimate' : 'mint_supply';
}

/** Wallets of the launch: all that are told of a token with too many to be read. */
function launchWallets(facts: LaunchFacts): Address[] {
  const early = [...firstBuys(facts.launch?.swaps ?? []).keys()].slice(0, EARLY_BUYERS);
  return [...new Set([...followedWallets(castOf(facts, [], new Map()).cast), ...early])];
}

function followedWallets({ creator, snipers, bundleOf, linked }: Cast): Address[] {
  const wallets = new Set([...(creator === undefined ? [] : [creator]), ...bundleOf.keys(), ...snipers, ...linked]);
  return [...wallets].slice(0, MOST_FOLLOWED);
}
