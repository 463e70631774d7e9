import type { Address } from '../chain/address.ts';
import type { ProgramEvent } from '../programs/program-event.ts';
import type { CreatorChanged } from './fact.ts';
import type { TransactionScope } from './transaction-scope.ts';

interface Change {
  readonly mint: Address;
  readonly previous: Address | undefined;
  readonly creator: Address;
  readonly reason: CreatorChanged['reason'];
}

/**
 * The change of fee creator that an event tells. Curve and pool each tell theirs,
 * so one transaction may tell the same change twice: `known` are those told before.
 */
export function findCreatorChange(
  scope: TransactionScope,
  event: ProgramEvent,
  known: readonly CreatorChanged[],
): CreatorChanged | undefined {
  const change = readChange(event);
  if (change === undefined) return undefined;
  const told = known.some(
    (other) =>
      other.blockIndex === scope.transaction.index && other.mint === change.mint && other.creator === change.creator,
  );
  return told ? undefined : { ...scope.base(event.ixIndex), ...change };
}

function readChange(event: ProgramEvent): Change | undefined {
  if (event.program === 'pump') {
    switch (event.name) {
      case 'SetCreatorEvent':
        return change(event.data.mint, undefined, event.data.creator, 'set_creator');
      case 'AdminSetCreatorEvent':
        return change(event.data.mint, event.data.oldCreator, event.data.newCreator, 'set_creator');
      case 'SetMetaplexCreatorEvent':
        return change(event.data.mint, undefined, event.data.creator, 'metaplex');
      case 'MigrateBondingCurveCreatorEvent':
        return change(event.data.mint, event.data.oldCreator, event.data.newCreator, 'migrate_creator');
      case 'AdminCtoEvent':
        return change(event.data.mint, event.data.oldCreator, event.data.newCreator, 'admin_cto');
    }
  } else if (event.program === 'pump_amm') {
    switch (event.name) {
      case 'SetBondingCurveCoinCreatorEvent':
        return change(event.data.baseMint, undefined, event.data.coinCreator, 'set_coin_creator');
      case 'SetMetaplexCoinCreatorEvent':
        return change(event.data.baseMint, undefined, event.data.coinCreator, 'metaplex');
      case 'MigratePoolCoinCreatorEvent':
        return change(event.data.baseMint, event.data.oldCoinCreator, event.data.newCoinCreator, 'migrate_creator');
      case 'AdminCtoPoolEvent':
        return change(event.data.baseMint, event.data.oldCoinCreator, event.data.newCoinCreator, 'admin_cto');
    }
  }
  return undefined;
}

function change(
  mint: Address,
  previous: Address | undefined,
  creator: Address,
  reason: CreatorChanged['reason'],
): Change {
  return { mint, previous, creator, reason };
}
