import { type BoundRoute, bind } from '../handlers/bind.ts';
import { accountOf, type Caller } from '../handlers/caller.ts';
import { bodyOf, doneBody, listBody } from '../handlers/json-answer.ts';
import type { AccountAnswers } from './account-answers.ts';
import {
  changeKey,
  closeConnection,
  createKey,
  getAccount,
  listConnections,
  listKeys,
  revokeKey,
  rotateKey,
} from './contract.ts';

/** The account that asks, its keys and its connections. Of another's there is nothing to be seen. */
export function accountRoutes({ show, keys, connections }: AccountAnswers): readonly BoundRoute[] {
  return [
    bind(getAccount, (_params, _query, call) => bodyOf(show(idOf(call)))),
    bind(listKeys, (_params, _query, call) => listBody(keys.list(idOf(call)))),
    bind(createKey, (_params, _query, call) => {
      const { name, budget, rate_limit: rate } = call.body;
      return bodyOf(keys.create(idOf(call), { name, budget, rate }, 'session'));
    }),
    bind(changeKey, ({ id }, _query, call) => bodyOf(keys.change(idOf(call), id, call.body, 'session'))),
    bind(rotateKey, ({ id }, _query, call) => bodyOf(keys.rotate(idOf(call), id, 'session'))),
    bind(revokeKey, ({ id }, _query, call) => doneBody(keys.revoke(idOf(call), id, 'session'))),
    bind(listConnections, async (_params, _query, call) => listBody(Promise.resolve(connections.list(idOf(call))))),
    bind(closeConnection, async ({ id }, _query, call) => doneBody(Promise.resolve(connections.close(idOf(call), id)))),
  ];
}

function idOf(call: Caller): number {
  return accountOf(call).accountId;
}
