import type { Address } from '../../src/chain/address.ts';
import type { BlockFacts } from '../../src/facts/fact.ts';
import type { MarketEvent, NameRow } from '../../src/features/discovery/contract.ts';
import { tipProvider } from '../../src/programs/registry/index.ts';
import { ratioPrice } from '../../src/token/price-string.ts';

/** RFC 3339 of Unix seconds. */
export const timeOf = (seconds: number) => `${new Date(seconds * 1_000).toISOString().slice(0, -5)}Z`;

/** Rows of the newest large trades and graduations of some blocks, without what they say of the token. */
export function trueEvents(known: readonly BlockFacts[], least: bigint, limit: number): Partial<MarketEvent>[] {
  const trades = known
    .flatMap(({ swaps }) => swaps)
    .filter((swap) => swap.venue !== 2 && swap.quoteMint === undefined && !swap.protocolActor)
    .filter(({ quoteAmount }) => quoteAmount >= least)
    .map(({ isBuy, quoteAmount, trader, ...place }) => ({
      place,
      row: { kind: 'trade' as const, actor: trader, is_buy: isBuy, sol_amount: String(quoteAmount) },
    }));
  const graduations = known
    .flatMap(({ graduated }) => graduated)
    .map(({ user, ...place }) => ({ place, row: { kind: 'graduation' as const, actor: user } }));
  return [...trades, ...graduations]
    .sort(({ place: a }, { place: b }) => b.slot - a.slot || b.blockIndex - a.blockIndex || b.ixIndex - a.ixIndex)
    .slice(0, limit)
    .map(({ place: { time, mint }, row }) => ({ time: timeOf(time), mint, ...row }));
}

/** Tips by provider of the blocks from a time on: transactions, and lamports. */
export function trueTips(known: readonly BlockFacts[], from: number) {
  const sums = new Map<string, { count: number; lamports: bigint }>();
  for (const { time, economics } of known) {
    if (time < from) continue;
    for (const { tipWallet, count, repeated, lamports } of economics.tipsByWallet) {
      const provider = tipProvider(tipWallet)!;
      const sum = sums.get(provider) ?? { count: 0, lamports: 0n };
      sums.set(provider, { count: sum.count + count - repeated, lamports: sum.lamports + lamports });
    }
  }
  return [...sums]
    .map(([provider, { count, lamports }]) => ({ provider, count, lamports: String(lamports) }))
    .sort((a, b) => Number(BigInt(b.lamports) - BigInt(a.lamports)) || (a.provider < b.provider ? -1 : 1));
}

/** Rows of the names that several tokens share which were made in the last seconds of some blocks. */
export function trueNames(known: readonly BlockFacts[], window: number): NameRow[] {
  const now = known.at(-1)!.time;
  const groups = new Map<string, BlockFacts['created'][number][]>();
  for (const each of known.flatMap(({ created }) => created)) {
    if (each.time < now - window) continue;
    const name = each.name.replace('\u200b', '');
    groups.set(name, [...(groups.get(name) ?? []), each]);
  }
  const swaps = known.flatMap((block) => block.swaps);
  const volumeOf = (mint: Address) =>
    swaps
      .filter((swap) => swap.mint === mint && swap.quoteMint === undefined)
      .reduce((sum, { quoteAmount }) => sum + quoteAmount, 0n);
  const priceOf = (mint: Address) => {
    const last = swaps.findLast((swap) => swap.mint === mint && swap.priced);
    if (last === undefined || last.quoteMint !== undefined) return undefined;
    const { priceQuote: quote, priceToken: token } = last;
    return {
      value: Number(quote) / Number(token),
      text: ratioPrice({ quote, token, quoteDecimals: 9, tokenDecimals: 6 }),
    };
  };
  return [...groups]
    .filter(([, tokens]) => tokens.length > 1)
    .map(([name, tokens]) => {
      const byVolume = tokens.toSorted((a, b) => {
        const [most, more] = [volumeOf(b.mint), volumeOf(a.mint)];
        return most > more ? 1 : most < more ? -1 : b.slot - a.slot || b.blockIndex - a.blockIndex;
      });
      const prices = tokens.flatMap(({ mint }) => priceOf(mint) ?? []).sort((a, b) => b.value - a.value);
      const last = Math.max(...tokens.map(({ time }) => time));
      const [top] = byVolume;
      return {
        name,
        tokens: tokens.length,
        ...(prices[0] === undefined ? {} : { max_price: prices[0].text }),
        top_mint: top!.mint,
        top_symbol: top!.symbol.replace('\u200b', ''),
        last_at: timeOf(last),
      };
    })
    .sort(
      (a, b) =>
        b.tokens - a.tokens || (a.last_at < b.last_at ? 1 : a.last_at > b.last_at ? -1 : a.name < b.name ? -1 : 1),
    );
}
