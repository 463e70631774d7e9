import type { Address } from '../../chain/address.ts';
import { swapJson } from '../../token/row-json.ts';
import type { LaunchAnalysis, LaunchBundle } from './launch-rules.ts';

/** The launch's body. `partial` when its beginning was not seen whole. */
export function launchBody(mint: Address, launch: LaunchAnalysis, partial: boolean): Buffer {
  const { creator, bundledPctSupply, devBundlePctSupply, bundleCount, bundles } = launch;
  const unseen = partial || bundles.some((bundle) => bundle.partial);
  return Buffer.from(
    `{"mint":"${mint}"` +
      (creator === undefined ? '' : `,"creator":"${creator}"`) +
      (bundledPctSupply === undefined ? '' : `,"bundled_pct_supply":${bundledPctSupply}`) +
      (devBundlePctSupply === undefined ? '' : `,"dev_bundle_pct_supply":${devBundlePctSupply}`) +
      (bundleCount === undefined ? '' : `,"bundle_count":${bundleCount}`) +
      `,"bundles":[${bundles.map((bundle) => bundleJson(bundle, creator)).join(',')}]` +
      (unseen ? ',"partial":true}' : '}'),
  );
}

function bundleJson(bundle: LaunchBundle, creator: Address | undefined): string {
  const { slot, startIndex, size, isBundle, hasDev, partial, wallets, solTotal, tokensBought, pctSupply } = bundle;
  return (
    `{"slot":${slot},"start_index":${startIndex},"size":${size}` +
    // Without its block nobody knows what stood beside it.
    (partial && !isBundle ? '' : `,"is_bundle":${isBundle}`) +
    (creator === undefined ? '' : `,"has_dev":${hasDev}`) +
    `,"wallets":[${wallets.map((wallet) => `"${wallet}"`).join(',')}]` +
    `,"sol_total":"${solTotal}","tokens_bought":"${tokensBought}"` +
    (pctSupply === undefined ? '' : `,"pct_supply":${pctSupply}`) +
    `,"swaps":[${bundle.swaps.map((swap) => swapJson(swap, creator)).join(',')}]` +
    (partial ? ',"partial":true}' : '}')
  );
}
