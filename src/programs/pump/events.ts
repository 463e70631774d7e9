import type { DataOf } from '../layout.ts';
import { ACCOUNT_EVENTS } from './account-events.ts';
import { CREATOR_EVENTS } from './creator-events.ts';
import { TRADE_EVENTS } from './trade-events.ts';

/** Every event the bonding curve program emits or has emitted. */
export const PUMP_EVENTS = { ...TRADE_EVENTS, ...CREATOR_EVENTS, ...ACCOUNT_EVENTS } as const;

export type CreateEvent = DataOf<typeof TRADE_EVENTS.CreateEvent>;

/**
 * Reserves are post-trade. `solAmount` is what moved on the curve, without
 * fees, which come on top for a buyer and off it for a seller; `buybackFee` is
 * a part of `fee`. Coins with another quote than SOL use the `quote…` fields.
 */
export type TradeEvent = DataOf<typeof TRADE_EVENTS.TradeEvent>;
export type CompleteEvent = DataOf<typeof TRADE_EVENTS.CompleteEvent>;

/** The part of a completing buy that the future pool filled; `quoteIn` is without fees. */
export type PostCompleteBuyEvent = DataOf<typeof TRADE_EVENTS.PostCompleteBuyEvent>;
export type CompletePumpAmmMigrationEvent = DataOf<typeof TRADE_EVENTS.CompletePumpAmmMigrationEvent>;
