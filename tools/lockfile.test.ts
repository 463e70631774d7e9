import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  completeLockfile,
  type Lockfile,
  missingPlatformPackages,
  unverifiedDownloads,
  verifyDownloads,
} from './lockfile.ts';
import known from './unverified-packages.json' with { type: 'json' };

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lockfile;

describe('the lock file', () => {
  it('names the binaries of every platform, so that a clean install works on all of them', () => {
    expect(missingPlatformPackages(lock)).toEqual([]);
  });

  it('says what every package holds, but for those binaries that our registry never had', () => {
    expect(unverifiedDownloads(lock).map(({ name, version }) => `${name}@${version}`)).toEqual(known);
  });

  it('says it of all that runs on the platform that everything is tested on', () => {
    const others = unverifiedDownloads(lock).filter(({ path }) => {
      const { os, cpu, libc } = lock.packages[path]!;
      const isOurs = (list: string[] | undefined, own: string) => list === undefined || list.includes(own);
      return isOurs(os, 'linux') && isOurs(cpu, 'x64') && isOurs(libc, 'glibc');
    });
    expect(others).toEqual([]);
  });

  it('is completed with what packages hold, and never with what is no SHA-512', async () => {
    const integrity = `sha512-${'A'.repeat(86)}==`;
    const packages = {
      '': { version: '0.0.0' },
      'node_modules/known': { version: '1.0.0', integrity },
      'node_modules/known/node_modules/@a/b': { version: '2.0.0', optional: true },
      'node_modules/weak': { version: '3.0.0', integrity: 'sha1-x' },
      'node_modules/linked': { link: true },
      'node_modules/unknown': { version: '4.0.0' },
    };
    const said: Record<string, string> = { '@a/b@2.0.0': integrity, 'weak@3.0.0': 'sha1-y' };
    const verified = await verifyDownloads({ packages }, async ({ name, version }) => said[`${name}@${version}`]);
    expect(verified.packages['node_modules/known/node_modules/@a/b']).toEqual({
      version: '2.0.0',
      integrity,
      optional: true,
    });
    expect(unverifiedDownloads(verified).map(({ name }) => name)).toEqual(['weak', 'unknown']);
  });

  it('does not say where packages were downloaded from', () => {
    expect(Object.values(lock.packages).filter(({ resolved }) => resolved?.startsWith('http'))).toEqual([]);
  });

  it('is completed with what its packages want, for the platform that the name tells', () => {
    const packages = {
      'node_modules/tool': {
        version: '1.0.0',
        dev: true,
        optionalDependencies: { '@tool/cli-linux-arm64-musl': '^1.0.0' },
      },
    };
    const completed = completeLockfile({ packages });
    expect(completed.packages['node_modules/@tool/cli-linux-arm64-musl']).toEqual({
      version: '1.0.0',
      dev: true,
      optional: true,
      cpu: ['arm64'],
      libc: ['musl'],
      os: ['linux'],
    });
    expect(missingPlatformPackages(completed)).toEqual([]);
  });
});
