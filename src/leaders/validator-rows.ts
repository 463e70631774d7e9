import type { EpochValidatorRow } from '../store/clickhouse/schema/leader-tables.ts';
import type { Validator } from './epoch-schedule.ts';

const SHARES_TIPS = { unknown: 0, no: 1, yes: 2 } as const;

/** A validator as a row of an epoch. `checkedAt` is in Unix seconds. */
export function toValidatorRow(epoch: number, validator: Validator, checkedAt: number): EpochValidatorRow {
  const { identity, vote, name, version, clientId, stake, commission, isDelinquent, gossipIp, sharesTips } = validator;
  return {
    ...{ identity, epoch, checked_at: checkedAt, vote: vote ?? '', name: name ?? '', version: version ?? '' },
    ...{ client: clientId === undefined ? 0 : clientId + 1, stake, commission, delinquent: isDelinquent },
    gossip_ip: gossipIp ?? '',
    shares_tips: sharesTips === undefined ? SHARES_TIPS.unknown : sharesTips ? SHARES_TIPS.yes : SHARES_TIPS.no,
  };
}

/** The way back. */
export function readValidatorRow(row: Omit<EpochValidatorRow, 'epoch' | 'checked_at'>): Validator {
  const { identity, vote, name, version, client, stake, commission, delinquent, gossip_ip, shares_tips } = row;
  return {
    ...{ identity, stake, commission, isDelinquent: delinquent },
    ...(vote === '' ? {} : { vote }),
    ...(name === '' ? {} : { name }),
    ...(version === '' ? {} : { version }),
    ...(client === 0 ? {} : { clientId: client - 1 }),
    ...(gossip_ip === '' ? {} : { gossipIp: gossip_ip }),
    ...(shares_tips === SHARES_TIPS.unknown ? {} : { sharesTips: shares_tips === SHARES_TIPS.yes }),
  };
}
