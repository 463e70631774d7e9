import type { Address } from '../../chain/address.ts';
import { type BoundRoute, bind } from '../../handlers/bind.ts';
import type { EquityAnswers } from './answers.ts';
import { getEquity, listEquities } from './contract.ts';

/** Tokenized shares. */
export function equityRoutes(answers: EquityAnswers): readonly BoundRoute[] {
  return [bind(listEquities, () => answers.list()), bind(getEquity, ({ mint }) => answers.equity(mint as Address))];
}
