import { execFile } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { completeLockfile, type Download, type Lockfile, unverifiedDownloads, verifyDownloads } from './lockfile.ts';

/**
 * `npm run lock:complete`: to run after every change of the dependencies. Asks the
 * registry what the packages hold of which the lock does not say it, and fails
 * while it does not have one of them: a registry may lack binaries of platforms
 * that are not its own.
 */
const file = new URL('../package-lock.json', import.meta.url);
const UNKNOWN = new URL('./unverified-packages.json', import.meta.url);

async function integrityOf({ name, version }: Download): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)('npm', ['view', `${name}@${version}`, 'dist.integrity', '--json']);
    const integrity: unknown = JSON.parse(stdout);
    return typeof integrity === 'string' ? integrity : undefined;
  } catch {
    return undefined;
  }
}

const lock = await verifyDownloads(completeLockfile(JSON.parse(readFileSync(file, 'utf8')) as Lockfile), integrityOf);
writeFileSync(file, `${JSON.stringify(lock, undefined, 2)}\n`);
const missing = unverifiedDownloads(lock).map(({ name, version }) => `${name}@${version}`);
const known = JSON.parse(readFileSync(UNKNOWN, 'utf8')) as string[];
// It only gets shorter: what is new has to come from a registry that has it for every platform.
writeFileSync(
  UNKNOWN,
  `${JSON.stringify(
    known.filter((each) => missing.includes(each)),
    undefined,
    2,
  )}\n`,
);
const added = missing.filter((each) => !known.includes(each));
process.stdout.write(`${missing.length} packages without integrity\n`);
if (added.length > 0) {
  process.stderr.write(`the registry has none of these, run this against one that has:\n  ${added.join('\n  ')}\n`);
  process.exitCode = 1;
}
