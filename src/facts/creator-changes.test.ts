import { describe, expect, it } from 'vitest';
import {
  buildBlock,
  type CallSpec,
  eventCall,
  someAddress,
  venueCall,
} from '../../test/support/transaction-builder.ts';
import { failingJournal } from '../kernel/journal.ts';
import { deriveFacts } from './derive.ts';

const mint = someAddress();
const user = someAddress();
const [previous, creator] = [someAddress(), someAddress()];
const timestamp = 1_770_000_000n;

const onCurve = { timestamp, mint, bondingCurve: someAddress() };
const inPool = { timestamp, baseMint: mint, pool: someAddress() };
const handedOver = { oldCreator: previous, newCreator: creator };
const poolHandedOver = { oldCoinCreator: previous, newCoinCreator: creator };
const terms = { isHolderReward: false, isCashbackCoin: false, oldCreatorFeeBps: 30n, newCreatorFeeBps: 30n };
const reset = { sharingConfigReset: false, sweptToHolderVault: 0n, poolUpdated: true };
const authority = someAddress();

const curveNamed = eventCall('pump', 'SetCreatorEvent', { ...onCurve, creator });
const poolNamed = eventCall('pump_amm', 'SetBondingCurveCoinCreatorEvent', {
  ...inPool,
  bondingCurve: onCurve.bondingCurve,
  coinCreator: creator,
});
const curveMigrated = eventCall('pump', 'MigrateBondingCurveCreatorEvent', {
  ...onCurve,
  ...handedOver,
  sharingConfig: creator,
});
const poolMigrated = eventCall('pump_amm', 'MigratePoolCoinCreatorEvent', {
  ...inPool,
  ...poolHandedOver,
  sharingConfig: creator,
});
const curveTakenOver = eventCall('pump', 'AdminCtoEvent', {
  ...onCurve,
  ...handedOver,
  ...terms,
  ...reset,
  authority,
});
const poolTakenOver = eventCall('pump_amm', 'AdminCtoPoolEvent', { ...inPool, ...poolHandedOver, ...terms });
const curveCorrected = eventCall('pump', 'AdminSetCreatorEvent', {
  ...onCurve,
  ...handedOver,
  adminSetCreatorAuthority: authority,
});
const curveByMetadata = eventCall('pump', 'SetMetaplexCreatorEvent', { ...onCurve, metadata: authority, creator });
const poolByMetadata = eventCall('pump_amm', 'SetMetaplexCoinCreatorEvent', {
  ...inPool,
  metadata: authority,
  coinCreator: creator,
});

function changesOf(...events: CallSpec[]) {
  const calls = [venueCall('pump', 'set_creator', { creator: user }, {}, events)];
  return deriveFacts(buildBlock([{ signers: [user], calls }]), failingJournal).creatorChanges;
}

describe('a change of creator', () => {
  it.each([
    ['set on the curve', curveNamed, 'set_creator', undefined],
    ['set in the pool', poolNamed, 'set_coin_creator', undefined],
    ['set by the administration', curveCorrected, 'set_creator', previous],
    ['taken from metadata for the curve', curveByMetadata, 'metaplex', undefined],
    ['taken from metadata for the pool', poolByMetadata, 'metaplex', undefined],
    ['moved to a sharing account by the curve', curveMigrated, 'migrate_creator', previous],
    ['moved to a sharing account by the pool', poolMigrated, 'migrate_creator', previous],
    ['of a takeover on the curve', curveTakenOver, 'admin_cto', previous],
    ['of a takeover in the pool', poolTakenOver, 'admin_cto', previous],
  ])('%s is told with its reason, and who was before when the event says so', (_, event, reason, before) => {
    expect(changesOf(event)).toMatchObject([{ mint, creator, reason }]);
    expect(changesOf(event)[0]!.previous).toBe(before);
  });

  it.each([
    ['move to a sharing account', [curveMigrated, poolMigrated], 'migrate_creator'],
    ['takeover', [curveTakenOver, poolTakenOver], 'admin_cto'],
  ])('that curve and pool both tell of one %s is told once', (_, events, reason) => {
    expect(changesOf(...events)).toMatchObject([{ mint, previous, creator, reason }]);
    expect(changesOf(...events.toReversed())).toHaveLength(1);
  });
});
