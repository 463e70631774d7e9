import type { Coverage } from '../coverage.ts';
import { readSqlFile } from '../sql-file.ts';
import { CARD, CARD_KEY, DERIVED_TABLES, insertedSelect } from './derived-tables.ts';

const ROLLUPS = readSqlFile(new URL(`./${CARD}_rollups.sql`, import.meta.url));
const OF_SWAPS = ['newest', 'newest_priced', 'highest'] as const;

export interface CardSource {
  /** A condition on `mint`, in the order of the tables: a range of mints or some of them. */
  readonly mints: string;
  /** Slots of which nothing is told. */
  readonly without?: readonly number[];
  /** Slots of whole blocks: what rollups have of others is no fact yet, and perhaps never will be. */
  readonly coverage: Coverage;
}

/**
 * The inserts that put all that is known of whole blocks into the cards of some mints: out of the facts, and out of
 * rollups what the facts have let go. Nothing is summed, so that they may be done again. Rows of single transactions
 * are left out: the writer takes them out again, and these could come behind that.
 */
export function cardInserts({ mints, without = [], coverage }: CardSource): readonly string[] {
  const kept = without.length === 0 ? 'true' : `slot NOT IN (${without.join(', ')})`;
  const ofFacts = DERIVED_TABLES.filter(({ name }) => name === CARD).map((derived) => {
    const rows = `${derived.source} WHERE ${mints} AND NOT partial AND ${kept}`;
    return `INSERT INTO ${CARD} ${insertedSelect(derived).replace('$rows', rows)}`;
  });
  const covered = coverage.map(({ first, last }) => `slot BETWEEN ${first} AND ${last}`).join(' OR ') || 'false';
  const select = ROLLUPS.replaceAll('$mints', `(${mints})`).replaceAll('$slots', `(${covered}) AND ${kept}`);
  return [...ofFacts, `INSERT INTO ${CARD} (${[...CARD_KEY, ...OF_SWAPS].join(', ')}) ${select}`];
}
