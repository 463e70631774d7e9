/** Names under which databases list a city besides its own. Districts are cities of their own, and so is Frankfurt (Oder). */
const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['Frankfurt am Main', 'Frankfurt'],
  ['City of London', 'London'],
]);

/** One name for a city: without the timezone before it (`Europe/Frankfurt am Main`), and the same whatever a database calls it. */
export function cityName(told: string): string {
  const name = told.slice(told.lastIndexOf('/') + 1).trim();
  return OTHER_NAMES.get(name) ?? name;
}
