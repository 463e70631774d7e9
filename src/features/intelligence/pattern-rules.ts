import type { Intelligence } from './contract-shapes.ts';
import type { InsiderEvidence } from './insider-rules.ts';

/** One word for what stands out most about a token. Evidence, not proof of common control. */

export type Pattern = Intelligence['pattern'];

export interface PatternEvidence extends InsiderEvidence {
  /** Undefined while nothing tells: nothing that is a share can then be said. */
  readonly supply: bigint | undefined;
  readonly isLaunchSeen: boolean;
  readonly buyers: number;
  /** Raw units that snipers bought. */
  readonly snipersBought: bigint;
  /** A bundle in the creation's own slot. */
  readonly isBundled: boolean;
  /** Wallets of the largest cluster with one funder, and what all clusters bought. */
  readonly clusterSize: number;
  readonly clustersBought: bigint;
  /** Raw units that the dev and the wallets that it funded hold; undefined where ownership is not told. */
  readonly devHolds: bigint | undefined;
  /** Its sends are flagged, by the one rule that /sends goes by; undefined where those told do not say. */
  readonly isHandedOut: boolean | undefined;
}

/** Insiders leave when they sold so much of what they ever bought within ten minutes, … */
export const EXIT_OF_BOUGHT_PCT = 25n;
/** … which is so much of the supply. */
export const EXIT_OF_SUPPLY_PCT = 1n;
export const DEV_HEAVY_PCT = 20n;
export const CLUSTER_WALLETS = 3;
export const CLUSTER_PCT = 2n;
export const SNIPERS_PCT = 10n;
/** With fewer buyers, nothing standing out says nothing. */
export const ENOUGH_BUYERS = 20;

/** The first that applies, the gravest first. */
export function patternOf(evidence: PatternEvidence): Pattern {
  const { supply } = evidence;
  const is = (amount: bigint, pct: bigint) => supply !== undefined && amount > 0n && amount * 100n >= supply * pct;
  if (
    evidence.insidersSold * 100n >= evidence.insidersBought * EXIT_OF_BOUGHT_PCT &&
    is(evidence.insidersSold, EXIT_OF_SUPPLY_PCT)
  ) {
    return 'exit_in_progress';
  }
  if (evidence.haveInsidersLeft) return 'insiders_left';
  if (evidence.isHandedOut === true) return 'distributed_by_transfer';
  if (evidence.devHolds !== undefined && is(evidence.devHolds, DEV_HEAVY_PCT)) return 'dev_heavy';
  if (evidence.clusterSize >= CLUSTER_WALLETS && is(evidence.clustersBought, CLUSTER_PCT)) return 'shared_funder';
  if (evidence.isBundled) return 'bundled_launch';
  if (is(evidence.snipersBought, SNIPERS_PCT)) return 'sniper_led';
  const isGrown = evidence.isLaunchSeen && evidence.buyers >= ENOUGH_BUYERS;
  return isGrown && !evidence.isCreatorGone && evidence.isHandedOut === false ? 'organic' : 'insufficient_data';
}
