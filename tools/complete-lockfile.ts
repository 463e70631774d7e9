import { readFileSync, writeFileSync } from 'node:fs';
import { completeLockfile, type Lockfile } from './lockfile.ts';

/** `npm run lock:complete`: to run after every change of the dependencies. */
const file = new URL('../package-lock.json', import.meta.url);
const lock = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;
writeFileSync(file, `${JSON.stringify(completeLockfile(lock), undefined, 2)}\n`);
