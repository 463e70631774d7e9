import type { GoldenWorld } from './golden-world.ts';
import type { Talk } from './talk.ts';

/** Questions to a route. */
export type Script = (talk: Talk, world: GoldenWorld) => Promise<void>;

/** Scripts by the names of their routes. */
export type Scripts = Readonly<Record<string, Script>>;
