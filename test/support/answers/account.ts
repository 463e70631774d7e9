import type { AccountAnswers } from '../../../src/accounts/account-answers.ts';
import {
  accountExample,
  budgetKeyExample,
  connectionExample,
  issuedKeyExample,
  keyExample,
} from '../../../src/accounts/contract-shapes.ts';

/** An account with two keys and a connection. Whatever is changed, they stay as they are. */
export function accountDouble(): AccountAnswers {
  const isKey = (id: number) => id === budgetKeyExample.id;
  return {
    show: async () => accountExample,
    keys: {
      list: async () => [keyExample, budgetKeyExample],
      create: async () => issuedKeyExample,
      change: async (_accountId, id) => (isKey(id) ? budgetKeyExample : undefined),
      rotate: async (_accountId, id) => (isKey(id) ? issuedKeyExample : undefined),
      revoke: async (_accountId, id) => isKey(id),
    },
    connections: {
      list: () => [connectionExample],
      close: (_accountId, id) => id === connectionExample.id,
    },
  };
}
