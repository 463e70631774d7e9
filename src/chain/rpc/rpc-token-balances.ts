import type { Address } from '../address.ts';
import type { TokenBalance } from '../block.ts';
import { MAX_DECIMALS, MAX_KEYS } from '../limits.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { asCount, asList, asObject, asU64 } from './rpc-shapes.ts';

interface TokenBalanceJson {
  readonly accountIndex?: unknown;
  readonly mint?: unknown;
  readonly owner?: unknown;
  readonly uiTokenAmount?: { readonly amount?: unknown; readonly decimals?: unknown };
}

type Merged = { -readonly [K in keyof TokenBalance]: TokenBalance[K] };

/** Token balances before and after, one per account, in the order in which accounts first appear. Throws MalformedWire. */
export function readTokenBalancesJson(pre: unknown, post: unknown): TokenBalance[] {
  const balances: Merged[] = [];
  for (const entry of entriesOf(pre)) {
    const balance = mergedBalance(balances, entry);
    balance.pre = amountOf(entry);
    balance.preOwner = ownerOf(entry);
  }
  for (const entry of entriesOf(post)) {
    const balance = mergedBalance(balances, entry);
    balance.post = amountOf(entry);
    balance.postOwner = ownerOf(entry);
  }
  return balances;
}

/** Nodes that recorded no token balances have null, or nothing. */
function entriesOf(json: unknown): readonly TokenBalanceJson[] {
  if (json === null || json === undefined) return [];
  return asList(json, 'token balances').map((entry) => asObject<TokenBalanceJson>(entry, 'a token balance'));
}

function mergedBalance(balances: Merged[], entry: TokenBalanceJson): Merged {
  const accountIndex = asCount(entry.accountIndex, 'account index');
  // Bounds the search too: there are as many balances as keys at most.
  if (accountIndex >= MAX_KEYS) throw new MalformedWire(`a token balance of key ${accountIndex}`);
  const known = balances.find((balance) => balance.accountIndex === accountIndex);
  if (known !== undefined) return known;
  if (typeof entry.mint !== 'string') throw new MalformedWire('a token balance without its mint');
  const decimals = asCount(entry.uiTokenAmount?.decimals, 'decimals');
  if (decimals > MAX_DECIMALS) throw new MalformedWire(`a token of ${decimals} decimals`);
  const balance: Merged = {
    accountIndex,
    mint: entry.mint as Address,
    preOwner: undefined,
    postOwner: undefined,
    decimals,
    pre: 0n,
    post: 0n,
  };
  balances.push(balance);
  return balance;
}

function amountOf(entry: TokenBalanceJson): bigint {
  return asU64(entry.uiTokenAmount?.amount, 'token amount');
}

function ownerOf(entry: TokenBalanceJson): Address | undefined {
  return typeof entry.owner === 'string' && entry.owner !== '' ? (entry.owner as Address) : undefined;
}
