import { jsonBody } from '../../books/json-text.ts';
import type { PriceBook } from '../../contract/price-book.ts';
import { type BoundRoute, bind } from '../../handlers/bind.ts';
import { getCosts, getHealth, getStats, type Health } from './contract.ts';
import type { ServiceStats } from './stats.ts';

/** Routes about the service itself. */
export function systemRoutes(answers: ServiceStats, health: () => Health, prices: PriceBook): readonly BoundRoute[] {
  const costs = createBytes();
  return [
    bind(getHealth, async () => {
      const { status, ...rest } = health();
      return jsonBody({ status, ...rest } satisfies Health);
    }),
    bind(getStats, () => answers.stats()),
    bind(getCosts, () => costs(prices.table())),
  ];
}

/** JSON of a value that is mostly the same one. */
function createBytes(): (value: object) => Buffer {
  let last: object | undefined;
  let bytes: Buffer = Buffer.alloc(0);
  return (value) => {
    if (value !== last) bytes = jsonBody(value);
    last = value;
    return bytes;
  };
}
