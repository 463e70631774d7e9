import { createRefreshed } from '../../books/refreshed.ts';
import type { Address } from '../../chain/address.ts';
import { Absence, stampBody } from '../../contract/stamp.ts';
import { createStoreHistory } from '../../token/history.ts';
import { bornBy, notSettled, tokenAsOf } from '../../token/settled.ts';
import { decimalsOf, pricingSwap, quoteOf, type TokenState } from '../../token/state.ts';
import { tokenSupply } from '../../token/supply.ts';
import type { TokenReads } from '../../token/token-reads.ts';
import { readPositionSums } from '../holders/position-reads.ts';
import type { HolderSnapshots } from '../holders/snapshot-rules.ts';
import { createHiddenSince } from '../movements/hidden-since-reads.ts';
import { originOf, readJudgedSends } from '../movements/judged-sends-reads.ts';
import type { TokenBodies, TokenBodiesDeps } from './counters.ts';
import { WHALE_SWAP_PCT } from './event-rules.ts';
import { EARLY_BUYERS, followedWallets } from './followed-wallets.ts';
import { readSettledHoldings, type SettledSums } from './holdings-reads.ts';
import { type IntelligenceFrame, intelligenceBody } from './intelligence-body.ts';
import { readNotableMoves, readNotableSwaps } from './intelligence-reads.ts';
import { analyseIntelligence, castOf, type Intelligence, maySendsBeFlagged } from './intelligence-rules.ts';
import { createLaunchFacts } from './launch-facts.ts';
import { type KnownMoney, readMoney } from './money-reads.ts';

/** Tokens whose answer is kept: about 50 KiB each. */
const CAPACITY = 500;
/** Times that an answer is made at most, when trades are stored between two of its reads. */
const MAX_ROUNDS = 3;
/** More than any swap: where no supply is known, no swap is large. */
const NO_AMOUNT = 2n ** 64n - 1n;

export interface IntelligenceBodiesDeps extends TokenBodiesDeps {
  readonly tokens: TokenReads;
  readonly snapshots: HolderSnapshots | undefined;
}

/** Answers about holders of tokens and their doings, as ready bytes, made again every few seconds while asked for. */
export function createIntelligence(deps: IntelligenceBodiesDeps): TokenBodies {
  const { client, clock, feed, stats, tokens } = deps;
  const bodies = createRefreshed<Buffer>({ clock, capacity: CAPACITY });
  const history = createStoreHistory(client, clock);
  const hiddenSince = createHiddenSince(client, clock);
  const launchFacts = createLaunchFacts({ ...deps, history, capacity: CAPACITY });

  async function analyse(state: TokenState, settled: SettledSums, now: number): Promise<Analysis> {
    const { mint, creation } = state;
    const supply = tokenSupply(state);
    const told = await hiddenSince();
    const areSendsTold = told === 0 || (creation !== undefined && told <= creation.time);
    const facts = await launchFacts(state, settled.slot);
    const { holdings, mark, isWhole } = await readSettledHoldings({ ...deps, history }, state, settled, facts);
    const question = { mint, creation, holdings, facts, mark, mostBuyers: EARLY_BUYERS };
    const money: KnownMoney = await readMoney(client, question);
    const { cast } = castOf(facts, money.clusters, money.fundings);
    const followed = followedWallets(cast);
    const large = supply === undefined ? NO_AMOUNT : (supply * WHALE_SWAP_PCT + 99n) / 100n;
    const [swaps, moves, isFlagged, then] = await Promise.all([
      readNotableSwaps(client, mint, mark, followed, large),
      readNotableMoves(client, mint, mark, followed),
      maySendsBeFlagged(holdings, isWhole) && areSendsFlagged(state, mark),
      tokenAsOf(tokens, state, mark),
    ]);
    // Results are told in SOL alone: in another quote there is no price for them.
    const last = quoteOf(state) === '' && !(then instanceof Absence) ? pricingSwap(then) : undefined;
    const price = last === undefined ? undefined : { quote: last.price_quote, token: last.price_token };
    const rows = {
      supply,
      price,
      holdings,
      facts,
      ...money,
      swaps,
      moves,
      isHandedOut: isFlagged || (areSendsTold ? false : undefined),
      buyers: settled.sums.buyers,
      now,
    };
    return { found: analyseIntelligence(rows), isWhole: isWhole && areSendsTold, mark };
  }

  /** Of every send that is kept, where /sends looks at those of a window. */
  async function areSendsFlagged(state: TokenState, mark: number): Promise<boolean> {
    const asked = { mint: state.mint, mark, since: 0 };
    const { judgement } = await readJudgedSends({ client, feed, clock }, asked, originOf(state));
    return judgement.flagged;
  }

  async function readSums(mint: Address): Promise<SettledSums> {
    const venues = await stats.venues(mint);
    const mark = feed.committedSlot;
    const sums = await readPositionSums(client, mint, venues);
    return { sums, slot: Math.max(mark, sums.newest) };
  }

  async function make(newest: TokenState, rounds = MAX_ROUNDS): Promise<Buffer> {
    const madeAt = clock.now();
    const settled = await readSums(newest.mint);
    const state = bornBy(newest, settled.slot);
    const { found, isWhole, mark } = await analyse(state, settled, Math.floor(madeAt / 1_000));
    // Wallets traded between the sums and the positions: they are not of one slot.
    if (mark > settled.slot) {
      if (rounds > 1) return make(newest, rounds - 1);
      throw notSettled();
    }
    const { sums } = settled;
    const frame: IntelligenceFrame = {
      mint: state.mint,
      madeAt,
      windowStart: state.creation?.time ?? sums.first_time,
      supported: quoteOf(state) === '',
      partial: !isWhole,
      supplySource: supplySourceOf(state),
      sums,
      tokenDecimals: decimalsOf(state),
    };
    return stampBody(intelligenceBody(frame, found), settled.slot);
  }

  return {
    ready: (mint) => bodies.ready(mint)?.value,
    async get(state) {
      const { value } = await bodies.get(state.mint, () => make(state));
      return value;
    },
  };
}

interface Analysis {
  readonly found: Intelligence;
  readonly isWhole: boolean;
  /** Slot up to which it goes. */
  readonly mark: number;
}

function supplySourceOf(state: TokenState): IntelligenceFrame['supplySource'] {
  if (tokenSupply(state) === undefined) return undefined;
  const isLaunched = state.creation !== undefined || (state.hydrated?.bonding_curve ?? '') !== '';
  return isLaunched ? 'standard_supply_estimate' : 'mint_supply';
}
