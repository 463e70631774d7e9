import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { completeLockfile, type Lockfile, missingPlatformPackages } from './lockfile.ts';

const lock = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')) as Lockfile;

describe('the lock file', () => {
  it('names the binaries of every platform, so that a clean install works on all of them', () => {
    expect(missingPlatformPackages(lock)).toEqual([]);
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
