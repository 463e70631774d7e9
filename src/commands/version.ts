import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The package lies above the folder of the sources, and of what they are compiled to. */
const PACKAGE = join(import.meta.dirname, '..', '..', 'package.json');

/** The version of this release, as its package tells it. */
export function readVersion(): string {
  return (JSON.parse(readFileSync(PACKAGE, 'utf8')) as { readonly version: string }).version;
}
