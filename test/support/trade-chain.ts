import type { Address } from '../../src/chain/address.ts';
import type { Block } from '../../src/chain/block.ts';
import { addressBytes } from '../../src/chain/keys/address-table.ts';
import { encodeAddress } from '../../src/chain/keys/base58.ts';
import type { BlockFacts, Swap, TokenCreated } from '../../src/facts/fact.ts';
import { createFactsMaker } from './block-facts.ts';

/** A trade as a test writes it down. */
export interface Trade {
  /** Numbers of a mint and a trader. */
  readonly mint: number;
  readonly trader: number;
  readonly isBuy: boolean;
  readonly quote: bigint;
  readonly tokens: bigint;
  readonly protocolActor?: boolean;
  /** A movement in the place of a trade: sent to the next trader, burnt, or come (gone, when no buy) unexplained. */
  readonly move?: 'send' | 'burn' | 'delta' | undefined;
}

const example = createFactsMaker({ swapsPerBlock: 1 }).next();
const [SWAP] = example.swaps as [Swap];
const [CREATION] = example.created as [TokenCreated];
const factsOfBlocks = new WeakMap<Block, BlockFacts>();

/** The facts that a block of {@link tradeBlock} tells. */
export function deriveTrades(block: Block): BlockFacts {
  const facts = factsOfBlocks.get(block);
  if (facts === undefined) throw new RangeError('a block that is not made of trades');
  return facts;
}

export function mintOf(number: number): Address {
  return numbered(1, number);
}

export function traderOf(number: number): Address {
  return numbered(2, number);
}

function numbered(kind: number, number: number): Address {
  const bytes = new Uint8Array(32).fill(7);
  bytes.set([kind, number >> 8, number & 0xff]);
  const address = encodeAddress(bytes);
  addressBytes(address);
  return address;
}

export interface TradeBlockOptions {
  readonly whole?: boolean;
  /** Tells blocks of the same slot apart. */
  readonly fork?: number;
  /** Index of the first trade in the block. */
  readonly firstIndex?: number;
  /** Numbers of the mints that are created in it. */
  readonly creates?: readonly number[];
}

/** A block with these trades and no bytes. */
export function tradeBlock(
  slot: number,
  parentSlot: number,
  trades: readonly Trade[],
  { whole = true, fork = 0, firstIndex = 0, creates = [] }: TradeBlockOptions = {},
): Block {
  const block: Block = {
    ...{ slot, parentSlot, blockhash: whole ? `hash${slot}-${fork}` : '', blockTime: 1_790_000_000 + slot, whole },
    ...{ transactions: [], transactionCount: trades.length, voteCount: 0 },
  };
  factsOfBlocks.set(block, {
    ...{ slot, parentSlot, blockhash: block.blockhash, time: 1_790_000_000 + slot, whole },
    swaps: trades.flatMap((trade, place) => (trade.move ? [] : swapOf(trade, slot, firstIndex + place, fork))),
    created: creates.map((mint) => ({ ...CREATION, mint: mintOf(mint), slot, blockIndex: 0 })),
    ...{ attempts: [], completed: [], graduated: [], creatorChanges: [], pools: [], liquidity: [] },
    ...{ payouts: [], fundings: [] },
    ...movesOf(trades, slot, firstIndex, fork),
    economics: { ...{ transactions: 0, failed: 0, votes: 0, fees: 0n, priorityFees: 0n, tips: 0n }, tipsByWallet: [] },
  });
  return block;
}

function movesOf(
  trades: readonly Trade[],
  slot: number,
  firstIndex: number,
  fork: number,
): Pick<BlockFacts, 'transfers' | 'burns' | 'unexplained'> {
  const moves = trades.map((trade, place) => {
    const { mint, time, blockIndex, ixIndex, signature } = swapOf(trade, slot, firstIndex + place, fork);
    const from = traderOf(trade.trader);
    return { trade, from, at: { mint, slot, time, blockIndex, ixIndex, signature } };
  });
  const of = (kind: Trade['move']) => moves.filter(({ trade }) => trade.move === kind);
  return {
    transfers: of('send').map(({ trade: { tokens: amount, trader }, from, at }) => {
      return {
        ...at,
        from,
        to: traderOf(trader + 1),
        amount,
        decimals: 6,
        ambiguous: false,
        hidden: amount % 3n === 0n,
      };
    }),
    burns: of('burn').map(({ trade, from, at }) => ({ ...at, owner: from, amount: trade.tokens, decimals: 6 })),
    unexplained: of('delta').map(({ trade: { tokens, isBuy }, from, at }) => {
      return { ...at, owner: from, delta: isBuy ? tokens : -tokens };
    }),
  };
}

function swapOf(trade: Trade, slot: number, blockIndex: number, fork: number): Swap {
  const signature = new Uint8Array(64);
  new DataView(signature.buffer).setUint32(0, slot);
  new DataView(signature.buffer).setUint32(4, blockIndex);
  signature[8] = fork;
  const trader = traderOf(trade.trader);
  return {
    ...SWAP,
    ...{ mint: mintOf(trade.mint), trader, feePayer: trader, isBuy: trade.isBuy },
    ...{ quoteAmount: trade.quote, tokenAmount: trade.tokens, priceQuote: trade.quote, priceToken: trade.tokens },
    ...{ slot, blockIndex, ixIndex: 0, time: 1_790_000_000 + slot, signature },
    ...{ priced: true, protocolActor: trade.protocolActor ?? false },
  };
}
