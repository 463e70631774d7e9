import { expect } from 'vitest';
import { listTokens } from '../../src/features/tokens/contract.ts';
import type { TokenFilter, TokenLists } from '../../src/features/tokens/lists.ts';
import { answerFaults } from './answer-schema.ts';

/** Two tokens a page, the newest first. */
export const FILTER: TokenFilter = {
  sort: 'newest',
  graduated: undefined,
  creator: undefined,
  from: undefined,
  to: undefined,
  limit: 2,
  cursor: undefined,
};

/** The rows of all pages of a list, following cursors; each page is as the contract has it. */
export async function walkList(lists: TokenLists, filter: TokenFilter): Promise<Record<string, unknown>[]> {
  const body = JSON.parse((await lists.list(filter)).toString());
  expect(answerFaults(listTokens, body)).toEqual([]);
  if (body.next_cursor === undefined) return body.data;
  return [...body.data, ...(await walkList(lists, { ...filter, cursor: body.next_cursor }))];
}
