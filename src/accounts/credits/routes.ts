import { type BoundRoute, bind } from '../../handlers/bind.ts';
import { accountOf } from '../../handlers/caller.ts';
import { bodyOf, listBody } from '../../handlers/json-answer.ts';
import { getBalance, listUsage } from './contract.ts';
import type { CreditAnswers } from './credit-answers.ts';

/** Routes that tell what an account has left, and where the rest went. */
export function creditRoutes({ balance, usage }: CreditAnswers): readonly BoundRoute[] {
  return [
    bind(getBalance, (_params, _query, call) => bodyOf(balance(accountOf(call), call.keyPrincipal))),
    bind(listUsage, (_params, { window, by }, call) => listBody(usage(accountOf(call).accountId, window, by))),
  ];
}
