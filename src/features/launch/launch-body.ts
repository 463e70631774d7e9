import { jsonBody } from '../../books/json-text.ts';
import type { Address } from '../../chain/address.ts';
import type { Written } from '../../contract/written.ts';
import { swapRow } from '../../token/row-json.ts';
import type { LaunchBundle as BundleRow, Launch } from './contract-shapes.ts';
import type { LaunchAnalysis, LaunchBundle } from './launch-rules.ts';

/** The launch's body. `partial` when its beginning was not seen whole. */
export function launchBody(mint: Address, launch: LaunchAnalysis, partial: boolean): Buffer {
  const { creator, bundles } = launch;
  return jsonBody({
    mint,
    creator,
    bundled_pct_supply: launch.bundledPctSupply,
    dev_bundle_pct_supply: launch.devBundlePctSupply,
    bundle_count: launch.bundleCount,
    bundles: bundles.map((bundle) => bundleRow(bundle, creator)),
    partial: partial || bundles.some((bundle) => bundle.partial) || undefined,
  } satisfies Written<Launch>);
}

function bundleRow(bundle: LaunchBundle, creator: Address | undefined): Written<BundleRow> {
  const { partial, isBundle } = bundle;
  return {
    slot: bundle.slot,
    start_index: bundle.startIndex,
    size: bundle.size,
    // Without its block nobody knows what stood beside it.
    is_bundle: partial && !isBundle ? undefined : isBundle,
    evidence: bundle.evidence,
    has_dev: creator === undefined ? undefined : bundle.hasDev,
    wallets: bundle.wallets,
    sol_total: String(bundle.solTotal),
    tokens_bought: String(bundle.tokensBought),
    pct_supply: bundle.pctSupply,
    swaps: bundle.swaps.map((swap) => swapRow(swap, creator)),
    partial: partial || undefined,
  };
}
