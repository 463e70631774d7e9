import { ApiError } from '../../contract/errors.ts';
import { type BoundRoute, bind } from '../../handlers/bind.ts';
import { readQuery, type SearchQuery } from '../../search/query.ts';
import type { SearchAnswers } from './answers.ts';
import { listTokensByName, searchTokens, suggest } from './contract.ts';

/** Characters that have to be left of a text when it is folded. */
const MIN_FOLDED = 2;

export function searchRoutes(answers: SearchAnswers): readonly BoundRoute[] {
  return [
    bind(searchTokens, (_params, { q, limit }) => answers.search(readable(q), limit)),
    bind(suggest, (_params, { q }) => answers.suggest(q, readable(q))),
    bind(listTokensByName, (_params, { name, limit }) => answers.byName(name, limit)),
  ];
}

function readable(q: string): SearchQuery {
  const query = readQuery(q);
  if (query.length >= MIN_FOLDED) return query;
  const message = `q must have at least ${MIN_FOLDED} letters, digits or pictures`;
  throw new ApiError(query.length === 0 ? 'invalid_param' : 'invalid_query', { param: 'q', message });
}
