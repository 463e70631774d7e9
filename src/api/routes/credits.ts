import type { CreditAnswers } from '../../accounts/credits/credit-answers.ts';
import { getBalance, listUsage } from '../contract/routes/credits.ts';
import { accountOf } from '../plugins/caller.ts';
import { type BoundRoute, bind } from '../plugins/serve-route.ts';
import { bodyOf, listBody } from './list-answer.ts';

/** What an account has left, and where the rest went. */
export function creditRoutes({ balance, usage }: CreditAnswers): readonly BoundRoute[] {
  return [
    bind(getBalance, (_params, _query, call) => bodyOf(balance(accountOf(call), call.keyHolder))),
    bind(listUsage, (_params, { window, by }, call) => listBody(usage(accountOf(call).accountId, window, by))),
  ];
}
