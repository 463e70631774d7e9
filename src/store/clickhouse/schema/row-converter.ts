import type { ColumnType, RowOf, TableLayout } from './table-layout.ts';

type Columns = TableLayout['columns'];

/** `quote_mint` is `quoteMint` in a fact. */
type FieldName<C> = C extends `${infer Head}_${infer Tail}` ? `${Head}${Capitalize<FieldName<Tail>>}` : C;

/** Values that a column takes as they are: undefined is '' in a column whose address may be missing. */
type Taken<T extends ColumnType, V> = V | (T extends 'address' ? undefined : never);

type IsCarried<L extends TableLayout, F, C extends keyof L['columns']> =
  FieldName<C> extends keyof F ? (F[FieldName<C>] extends Taken<L['columns'][C], RowOf<L>[C]> ? true : false) : false;

/** Makers of the columns that a fact does not carry under their own name and in their own form. */
export type MadeColumns<L extends TableLayout, F> = {
  readonly [C in keyof L['columns'] as C extends 'partial' ? never : IsCarried<L, F, C> extends true ? never : C]: (
    fact: F,
  ) => RowOf<L>[C];
};

/**
 * The one way from a fact to a row of a table. Columns that the fact carries are
 * taken over; `made` makes the others, and the compiler asks for exactly these.
 * `partial` says that the fact's block was not there as a whole.
 *
 * Compiled to an object literal, because millions of rows are made an hour.
 */
export function rowConverter<F, const L extends TableLayout>(
  layout: L,
  made: MadeColumns<L, F>,
): (fact: F, partial: boolean) => RowOf<L> {
  const columns = Object.entries(layout.columns as Columns).map(([name, type]) => {
    if (name === 'partial') return 'partial';
    if (name in made) return `${name}: made.${name}(fact)`;
    return `${name}: fact.${fieldName(name)}${type === 'address' ? " ?? ''" : ''}`;
  });
  return new Function('made', `return (fact, partial) => ({ ${columns.join(', ')} });`)(made);
}

function fieldName(column: string): string {
  return column.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
