import type { RouteContract } from '../../src/contract/route.ts';
import { ROUTES } from '../../src/routes.ts';
import type { GoldenWorld } from './golden-world.ts';
import type { Script } from './questions.ts';

/** Pages of one list, each as long as it may be. */
const PAGES = 10;

/** Questions about tokens, each asked as widely as it can be, so that rows in every form there is meet their schema. */
export const WIDE_QUESTIONS: readonly (readonly [name: string, script: Script])[] = ROUTES.filter(isWide).map(
  (route) => [
    route.name,
    async ({ pages }, world) => {
      const query = widest(route, world);
      for (const path of pathsOf(route, world)) await pages(`${path}?${query}`, 'cursor' in route.query ? PAGES : 1);
    },
  ],
);

function isWide({ tag, method, redirects }: RouteContract): boolean {
  return tag === 'tokens' && method === 'GET' && !redirects;
}

/** Every flag set, every number as large as it may be, all subjects where several may be named, the first word where there has to be one. */
function widest({ query }: RouteContract, { subjects }: GoldenWorld): URLSearchParams {
  const values = new URLSearchParams();
  for (const [name, { schema, required }] of Object.entries(query)) {
    if (name === 'mints' || name === 'wallets') values.set(name, Object.values(subjects).join());
    else if (name === 'q' || name === 'name') values.set(name, 'Doge');
    else if ('maximum' in schema) values.set(name, String(schema.maximum));
    else if (required && 'enum' in schema) values.set(name, String(schema.enum).split(',')[0]!);
    else if ('enum' in schema && String(schema.enum) === '0,1') values.set(name, '1');
  }
  return values;
}

/** Of every subject. */
function pathsOf({ path }: RouteContract, { subjects }: GoldenWorld): readonly string[] {
  const named = path.replace(/\{\w+\}/, '{}');
  return named === path ? [path] : Object.values(subjects).map((subject) => named.replace('{}', subject));
}
