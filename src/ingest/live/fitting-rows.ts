import { MalformedWire } from '../../chain/malformed-wire.ts';
import type { BlockFacts } from '../../facts/fact.ts';
import { emptyFactLists, FACT_KINDS } from '../../facts/fact-lists.ts';
import { type Movement, movementsOf } from '../../facts/movements.ts';
import type { Journal } from '../../kernel/journal.ts';
import { toRowBatch } from '../../store/clickhouse/schema/fact-rows.ts';
import type { RowBatch } from '../../store/clickhouse/schema/row-batch.ts';
import { RowRangeError } from '../../store/clickhouse/schema/row-codec.ts';

/** Facts of a block and their rows, without positions and holdings. */
export interface FittingRows {
  readonly facts: BlockFacts;
  /** Of all mints, in the order in which they are folded. */
  readonly movements: readonly Movement[];
  readonly batch: RowBatch;
}

export const NO_ROOM = 'the block has values that no table has room for';

/**
 * The rows of a block. A fact with a value that its table has no room for, such
 * as a change of more tokens than an i64 holds, is left out of both and noted: it
 * must not cost the block. Undefined where the block's own row is what does not fit.
 */
export function fitRows(facts: BlockFacts, journal: Journal): FittingRows | undefined {
  try {
    return { facts, movements: movementsOf(facts), batch: toRowBatch(facts, []) };
  } catch (error) {
    if (!isMisfit(error)) throw error;
    return fitEach(facts, journal);
  }
}

function fitEach(facts: BlockFacts, journal: Journal): FittingRows | undefined {
  const { slot } = facts;
  const bare = { ...facts, ...emptyFactLists() };
  const fits = (block: BlockFacts): boolean => {
    try {
      toRowBatch(block, []);
      return true;
    } catch (error) {
      if (!isMisfit(error)) throw error;
      journal.note({ code: 'value_out_of_range', subject: 'rows', detail: { slot, reason: error.message } });
      return false;
    }
  };
  if (!fits(bare)) return undefined;
  const lists = FACT_KINDS.map((kind) => {
    const fitting = (facts[kind] as readonly unknown[]).filter((fact) =>
      fits({ ...bare, whole: false, [kind]: [fact] }),
    );
    return [kind, fitting] as const;
  });
  const fitting = { ...facts, ...Object.fromEntries(lists) };
  return { facts: fitting, movements: movementsOf(fitting), batch: toRowBatch(fitting, []) };
}

/** A number beyond its column, or a text that is no address. */
function isMisfit(error: unknown): error is RowRangeError | MalformedWire {
  return error instanceof RowRangeError || error instanceof MalformedWire;
}
