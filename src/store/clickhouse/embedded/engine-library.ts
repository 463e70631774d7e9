import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

/** Packages in which the engine ships a build of itself, by `platform-arch`. There is none for musl or Windows. */
const PACKAGES: Readonly<Record<string, string>> = {
  'linux-x64': '@chdb/lib-linux-x64-gnu',
  'linux-arm64': '@chdb/lib-linux-arm64-gnu',
  'darwin-x64': '@chdb/lib-darwin-x64',
  'darwin-arm64': '@chdb/lib-darwin-arm64',
};

/** Path of the engine's shared library; undefined when there is none for this machine, or it is not installed. */
export function findEngineLibrary(
  platform: string = process.platform,
  arch: string = process.arch,
): string | undefined {
  const name = PACKAGES[`${platform}-${arch}`];
  if (name === undefined) return undefined;
  // The platform package is chdb's own dependency, so it is looked for from there.
  const fromChdb = createRequire(createRequire(import.meta.url).resolve('chdb/package.json'));
  try {
    return join(dirname(fromChdb.resolve(`${name}/package.json`)), 'libchdb.so');
  } catch {
    return undefined;
  }
}
