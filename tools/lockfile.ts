/** The part of a `package-lock.json` that is looked at here. */
export interface Lockfile {
  packages: Record<string, LockedPackage>;
}

interface LockedPackage {
  version?: string;
  resolved?: string;
  integrity?: string;
  link?: boolean;
  cpu?: string[];
  dev?: boolean;
  libc?: string[];
  optional?: boolean;
  os?: string[];
  optionalDependencies?: Record<string, string>;
}

const SYSTEMS = ['aix', 'android', 'darwin', 'freebsd', 'linux', 'netbsd', 'openbsd', 'openharmony', 'sunos', 'win32'];
const PROCESSORS = ['arm', 'arm64', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64'];
const C_LIBRARIES: Readonly<Record<string, string>> = {
  gnu: 'glibc',
  gnueabihf: 'glibc',
  musl: 'musl',
  musleabihf: 'musl',
};

/** A package that is downloaded, by its name and version. */
export interface Download {
  /** Path at which it is installed. */
  readonly path: string;
  readonly name: string;
  readonly version: string;
}

/** Packages that `npm ci` would install whatever the registry sends: nothing says what they hold. */
export function unverifiedDownloads({ packages }: Lockfile): Download[] {
  return Object.entries(packages).flatMap(([path, { version, integrity, link }]) => {
    const isVerified = integrity !== undefined && INTEGRITY.test(integrity);
    // The first entry is the project itself; a link leads to a folder of it.
    if (path === '' || link === true || isVerified || version === undefined) return [];
    return [{ path, name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length), version }];
  });
}

/** SHA-1 of old packages vouches for nothing. */
const INTEGRITY = /^sha512-[A-Za-z0-9+/]{86}==$/;

/** Writes down what each of these packages holds, as far as it could be found out. */
export async function verifyDownloads(
  lock: Lockfile,
  integrityOf: (download: Download) => Promise<string | undefined>,
): Promise<Lockfile> {
  const packages = { ...lock.packages };
  for (const download of unverifiedDownloads(lock)) {
    const integrity = await integrityOf(download);
    if (integrity === undefined || !INTEGRITY.test(integrity)) continue;
    const { version, resolved, ...others } = packages[download.path]!;
    packages[download.path] = { ...(version === undefined ? {} : { version }), integrity, ...others };
  }
  return { ...lock, packages };
}

/** Binaries of other platforms that the lock should name and does not: `npm ci` refuses such a lock. */
export function missingPlatformPackages({ packages }: Lockfile): { name: string; version: string; dev: boolean }[] {
  const missing = [];
  for (const [path, { optionalDependencies = {}, dev = false }] of Object.entries(packages)) {
    for (const [name, range] of Object.entries(optionalDependencies)) {
      const isThere = `node_modules/${name}` in packages || `${path}/node_modules/${name}` in packages;
      if (!isThere && isPlatformName(name)) missing.push({ name, version: range.replace(/^[\^~]/, ''), dev });
    }
  }
  return missing;
}

/**
 * Names the binaries of every platform in the lock, whether or not the registry
 * it was made against has them, and drops the addresses packages came from.
 */
export function completeLockfile(lock: Lockfile): Lockfile {
  const packages = { ...lock.packages };
  for (const { name, version, dev } of missingPlatformPackages(lock)) {
    packages[`node_modules/${name}`] = { version, ...(dev ? { dev } : {}), optional: true, ...platformOf(name) };
  }
  for (const each of Object.values(packages)) delete each.resolved;
  const sorted = Object.entries(packages).sort(([a], [b]) => (a < b ? -1 : 1));
  return { ...lock, packages: Object.fromEntries(sorted) };
}

function isPlatformName(name: string): boolean {
  const { os, cpu } = platformOf(name);
  return os !== undefined || cpu !== undefined;
}

/** Platform packages tell in their name what they are for. */
function platformOf(name: string): Pick<LockedPackage, 'os' | 'cpu' | 'libc'> {
  const words = name.split(/[-/]/);
  const os = SYSTEMS.filter((each) => words.includes(each));
  const cpu = PROCESSORS.filter((each) => words.includes(each));
  const libc = words.flatMap((word) => C_LIBRARIES[word] ?? []);
  return { ...(cpu.length > 0 ? { cpu } : {}), ...(libc.length > 0 ? { libc } : {}), ...(os.length > 0 ? { os } : {}) };
}
