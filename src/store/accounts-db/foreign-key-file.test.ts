import fileSystem, { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { silentLogger } from '../../kernel/log.ts';
import { closeToOthers, makePrivateFolder, warnOfOthers } from '../../kernel/private-files.ts';
import { findSecretsKey } from './secrets-key.ts';

const { chmod } = fileSystem;
const refusal = { code: '' };

// Root, as whom tests may run, is refused nothing: the system's answer is played, to modules that are imported already too.
beforeAll(() => playChmod(() => Promise.reject(Object.assign(new Error('refused'), { code: refusal.code }))));
afterAll(() => playChmod(chmod));

function playChmod(played: typeof chmod): void {
  fileSystem.chmod = played;
  syncBuiltinESMExports();
}

describe.each(['EPERM', 'ENOTSUP', 'EROFS'])('where modes are not ours to change (%s)', (code) => {
  let dir: string;
  let file: string;
  const warned: unknown[] = [];
  const log = { ...silentLogger, warn: (...line: unknown[]) => void warned.push(line) };
  beforeEach(async () => {
    refusal.code = code;
    warned.length = 0;
    dir = await mkdtemp(join(tmpdir(), 'mintscope-foreign-'));
    file = join(dir, 'secrets.key');
    await writeFile(file, 'Txydgnfis1iGwfDeJJqzZR1_4IySpLYTXsjX8aCTSy4\n');
  });
  afterEach(() => rm(dir, { recursive: true }));

  it('a key file that a group may read is taken as it is, and nothing is said', async () => {
    await chmod(file, 0o440);
    expect((await findSecretsKey({ setting: undefined, file }, log))?.from).toBe(file);
    expect([(await stat(file)).mode & 0o777, warned]).toEqual([0o440, []]);
  });

  it('a key file that everybody may read is refused', async () => {
    await chmod(file, 0o444);
    await expect(findSecretsKey({ setting: undefined, file }, log)).rejects.toMatchObject({
      code: 'secrets_key_unusable',
      message: expect.stringContaining('its mode must be 0600'),
    });
  });

  it('a folder that others may enter is used, and a warning names it', async () => {
    const folder = join(dir, 'folder');
    await mkdir(folder);
    await chmod(folder, 0o755);
    await makePrivateFolder(folder);
    await chmod(file, 0o600);
    await warnOfOthers([folder, file, join(dir, 'nothing')], log);
    expect(warned).toEqual([[{ path: folder }, expect.stringContaining('other users')]]);
  });
});

it('a fault of another kind is no refusal', async () => {
  refusal.code = 'EIO';
  const dir = await mkdtemp(join(tmpdir(), 'mintscope-foreign-'));
  await chmod(dir, 0o755);
  await expect(closeToOthers(dir)).rejects.toMatchObject({ code: 'EIO' });
  await rm(dir, { recursive: true });
});
