import type { Address } from '../../chain/address.ts';
import type { Confidence } from './entry.ts';
import { entriesOf, indexEntries, trustedRows } from './entry.ts';
import exchanges from './exchange-wallets.json' with { type: 'json' };
import fees from './fee-wallets.json' with { type: 'json' };
import institutions from './institutions.json' with { type: 'json' };
import actors from './protocol-actors.json' with { type: 'json' };

/** Labels of wallets are other people's attributions. */
export interface ExchangeWallet {
  readonly address: Address;
  readonly exchange: string;
  readonly label: string;
  readonly role: 'wallet' | 'hot_wallet';
  readonly confidence: Confidence;
}

/** A wallet that a trading platform takes fees on, or pays from. */
export interface FeeWallet {
  readonly address: Address;
  readonly platform: string;
  readonly role: string;
  readonly confidence: Confidence;
}

export interface Institution {
  readonly address: Address;
  readonly name: string;
  readonly kind: 'market_maker' | 'bridge';
  readonly confidence: Confidence;
}

interface ProtocolActor {
  readonly address: Address;
  readonly name: string;
  readonly confidence: Confidence;
}

const EXCHANGE_WALLETS = indexEntries(trustedRows(entriesOf<ExchangeWallet>(exchanges)), (wallet) => wallet.address);
const FEE_WALLETS = indexEntries(trustedRows(entriesOf<FeeWallet>(fees)), (wallet) => wallet.address);
const INSTITUTIONS = indexEntries(trustedRows(entriesOf<Institution>(institutions)), (wallet) => wallet.address);
const PROTOCOL_ACTORS = indexEntries(trustedRows(entriesOf<ProtocolActor>(actors)), (actor) => actor.address);

/** All of {@link isProtocolActor}. */
export const PROTOCOL_ACTOR_WALLETS: readonly Address[] = [...PROTOCOL_ACTORS.keys()];

export function exchangeWallet(wallet: Address): ExchangeWallet | undefined {
  return EXCHANGE_WALLETS.get(wallet);
}

export function feeWallet(wallet: Address): FeeWallet | undefined {
  return FEE_WALLETS.get(wallet);
}

export function institution(wallet: Address): Institution | undefined {
  return INSTITUTIONS.get(wallet);
}

/**
 * True for wallets by which the launchpad itself acts: their trades move the
 * price, but nobody's profit. A boosted pool's buyer is an address of the pool
 * and is not listed: see `boostVaultAuthorityAddress`.
 */
export function isProtocolActor(wallet: Address): boolean {
  return PROTOCOL_ACTORS.has(wallet);
}
