import type { Address } from '../../src/chain/address.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import { LOADS } from '../../src/simulator/load.ts';
import { createSimulator, type Simulator } from '../../src/simulator/simulator.ts';

/** The chain of the recording: always the same blocks. */
export interface GoldenChain {
  /** In the store before anybody asks. */
  readonly stored: readonly BlockFacts[];
  /** Come by the feed afterwards. */
  readonly fed: readonly BlockFacts[];
  readonly simulator: Simulator;
}

export const SEED = 'golden-7';
/** Without those whose launches would crowd out the tokens that are asked for; routers' shares are hidden moves too. */
const LOAD = { ...LOADS.desk, hiddenHandouts: 0, marketHops: 0 };
/** Lost at the start, so that tokens are traded whose creation nobody saw. */
const LOST_BLOCKS = 25;
const FED_BLOCKS = 30;
const BLOCKS = 400;
/** Between the stored blocks and those that are fed, seconds: whatever is kept for moments is made again. */
export const FEED_PAUSE_S = 90;
/**
 * Seconds by which stretches of blocks are earlier than the chain had them: candles, windows and days have something to
 * tell apart.
 */
const STRETCHES: readonly (readonly [untilBlock: number, earlier: number])[] = [
  [120, 26 * 3_600],
  [210, 5 * 3_600],
  [290, 40 * 60],
  [BLOCKS - FED_BLOCKS, 0],
  [BLOCKS, -FEED_PAUSE_S],
];

export function makeChain(): GoldenChain {
  const simulator = createSimulator({ seed: SEED, load: LOAD, sign: false });
  const blocks = Array.from({ length: BLOCKS }, (_, place) => {
    const facts = withRareFacts(simulator.next().truth.facts('decoded'));
    return earlier(facts, STRETCHES.find(([until]) => place < until)![1]);
  });
  return { stored: blocks.slice(LOST_BLOCKS, -FED_BLOCKS), fed: blocks.slice(-FED_BLOCKS), simulator };
}

/** Facts of a block with what the simulated programs never do: payouts, changed creators, liquidity that comes and goes. */
function withRareFacts(facts: BlockFacts): BlockFacts {
  const [swap] = facts.swaps;
  if (swap === undefined) return facts;
  const { slot, blockIndex, time, signature, mint, quoteMint, trader, pool, isBuy } = swap;
  const base = { slot, blockIndex, time, signature, mint };
  const recipient = swap.feeCreator ?? trader;
  const kind = slot % 4 === 0 ? 'protocol' : 'creator';
  const amounts = { tokenAmount: swap.tokenAmount, quoteAmount: swap.quoteAmount, lpAmount: 1_000n };
  return {
    ...facts,
    payouts: [{ ...base, ixIndex: 97, quoteMint, recipient, amount: 12_345n, kind }],
    creatorChanges:
      slot % 40 === 0
        ? [{ ...base, ixIndex: 98, previous: swap.feeCreator, creator: trader, reason: 'admin_cto' as const }]
        : [],
    liquidity:
      pool === undefined || slot % 3 !== 0
        ? []
        : [{ ...base, ixIndex: 99, pool, user: trader, isDeposit: isBuy, ...amounts }],
  };
}

/** The same facts so many seconds before. */
function earlier(facts: BlockFacts, seconds: number): BlockFacts {
  const moved = Object.entries(facts).map(([name, value]) => {
    if (name === 'time') return [name, value - seconds];
    if (!Array.isArray(value)) return [name, value];
    return [name, value.map((fact) => ('time' in fact ? { ...fact, time: fact.time - seconds } : fact))];
  });
  return Object.fromEntries(moved);
}

/** Tokens and wallets that are asked for, each for what it has. */
export interface Subjects {
  /** On the curve, made before our eyes, traded most. */
  readonly curve: Address;
  readonly graduated: Address;
  /** Traded in a pool beside its curve. */
  readonly sidePool: Address;
  /** Launched in dollars. */
  readonly dollars: Address;
  readonly equity: Address;
  /** Its creation was never seen. */
  readonly unseen: Address;
  /** A handful of swaps. */
  readonly quiet: Address;
  /** Sent most. */
  readonly sent: Address;
  /** Tried to be bought before it was made. */
  readonly early: Address;
  /** Traded in the blocks that are fed. */
  readonly fed: Address;
  /** Made in them. */
  readonly newborn: Address;
  /** Nothing is known of it. */
  readonly unknown: Address;
  /** Sent and got tokens most. */
  readonly sender: Address;
  /** Launched most tokens. */
  readonly developer: Address;
  /** Came only with the first blocks that are fed. */
  readonly comer: Address;
}

/** An address that nobody has. */
export const NOBODY = 'ETghYmaLuWDJjm7vHKTq1m1sHYuGpckNZmgNTMGqc4Y7' as Address;

export function findSubjects({ stored, fed }: GoldenChain): Subjects {
  const swaps = stored.flatMap((facts) => facts.swaps);
  const created = new Map(stored.flatMap((facts) => facts.created).map((fact) => [fact.mint, fact]));
  const graduated = new Set(stored.flatMap((facts) => facts.graduated).map(({ mint }) => mint));
  const transfers = stored.flatMap((facts) => facts.transfers);
  const traded = byCount(swaps.map(({ mint }) => mint));
  const seen = new Set([...swaps.map(({ trader }) => trader), ...transfers.flatMap(({ from, to }) => [from, to])]);
  const isSol = (mint: Address) => created.has(mint) && created.get(mint)!.quoteMint === undefined;
  const pools = (mint: Address) => new Set(swaps.filter((swap) => swap.mint === mint).map(({ pool }) => pool));
  const firstAttempts = new Map(
    stored.flatMap(({ attempts }) => attempts.map(({ mint, slot }) => [mint, slot] as const)).reverse(),
  );
  return {
    curve: only(traded.find((mint) => isSol(mint) && !graduated.has(mint) && pools(mint).size === 1)),
    graduated: only(traded.find((mint) => isSol(mint) && graduated.has(mint))),
    sidePool: only(traded.find((mint) => !graduated.has(mint) && pools(mint).size > 1)),
    dollars: only(traded.find((mint) => created.get(mint)?.quoteMint !== undefined)),
    equity: only(traded.find((mint) => mint.startsWith('Xs'))),
    unseen: only(traded.find((mint) => !created.has(mint) && !mint.startsWith('Xs'))),
    quiet: only(traded.findLast(isSol)),
    sent: only(byCount(transfers.map(({ mint }) => mint)).find((mint) => created.has(mint))),
    early: only(traded.find((mint) => (firstAttempts.get(mint) ?? Number.MAX_VALUE) < (created.get(mint)?.slot ?? 0))),
    fed: only(byCount(fed.flatMap((facts) => facts.swaps.map(({ mint }) => mint))).find(isSol)),
    newborn: only(fed.flatMap((facts) => facts.created)[0]?.mint),
    unknown: NOBODY,
    sender: only(byCount(transfers.flatMap(({ from, to }) => [from, to]))[0]),
    developer: only(byCount([...created.values()].map(({ creator }) => creator))[0]),
    comer: only(fed.flatMap((facts) => facts.swaps.map(({ trader }) => trader)).find((trader) => !seen.has(trader))),
  };
}

/** Each value once, the commonest first, equal ones in order. */
function byCount(values: readonly Address[]): Address[] {
  const counts = new Map<Address, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, many], [b, more]) => more - many || (a < b ? -1 : 1)).map(([value]) => value);
}

function only(found: Address | undefined): Address {
  if (found === undefined) throw new Error('the chain has no token or wallet of this kind: choose another seed');
  return found;
}
