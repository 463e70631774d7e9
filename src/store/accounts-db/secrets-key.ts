import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { type Logger, silentLogger } from '../../kernel/log.ts';
import { closeToOthers } from '../../kernel/private-files.ts';
import { AccountsError } from './accounts-error.ts';
import { createSecretBox, type SecretBox } from './secret-box.ts';
import { readSecretsKeyText, SECRETS_KEY_BYTES } from './secrets-key-text.ts';

/** Name of the setting, for messages. */
export const SECRETS_KEY_SETTING = 'MINTSCOPE_SECRETS_KEY';
/** Name of the file in the data folder. */
export const SECRETS_KEY_FILE = 'secrets.key';

/** Places in which the key of secrets may lie. */
export interface SecretsKeyPlace {
  /** The key itself, out of the environment: counts before the file. */
  readonly setting: string | undefined;
  /** In the data folder, for its owner only. */
  readonly file: string;
  /** True when a missing key is made in `file`: by processes on the service's own machine, or when told to make one. */
  readonly mayMake: boolean;
}

/** A box with the key that is at hand, and where that lies: a setting's name or a file's. */
export interface HeldKey {
  readonly box: SecretBox;
  readonly from: string;
}

const PRIVATE_FILE = 0o600;
const FOR_ALL_OTHERS = 0o007;
const UNFINISHED_NAME_BYTES = 8;

/**
 * The key at hand; undefined when there is none. A file that was open to others is closed, once and with a warning.
 * Throws AccountsError `secrets_key_unusable`.
 */
export async function findSecretsKey(
  { setting, file }: Omit<SecretsKeyPlace, 'mayMake'>,
  log: Logger = silentLogger,
): Promise<HeldKey | undefined> {
  if (setting !== undefined) return held(setting, SECRETS_KEY_SETTING);
  const text = await readKeyFile(file, log);
  return text === undefined ? undefined : held(text, file);
}

/**
 * Makes a key in the file. Of several processes that do it at once one makes it and all get the same: it appears under
 * its name when all of it is there, and never takes the place of another. Throws AccountsError `secrets_key_unusable`.
 */
export async function makeSecretsKey(file: string): Promise<HeldKey> {
  const unfinished = `${file}.${randomBytes(UNFINISHED_NAME_BYTES).toString('hex')}`;
  try {
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeDurably(unfinished, `${randomBytes(SECRETS_KEY_BYTES).toString('base64url')}\n`);
    await link(unfinished, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    });
    await syncFolder(dirname(file));
  } catch (error) {
    throw unusable(file, `cannot be made: ${reasonOf(error)}`);
  } finally {
    // A file that could not be made cannot be removed either: not worth another error.
    await rm(unfinished, { force: true }).catch(() => undefined);
  }
  const made = await readKeyFile(file, silentLogger);
  if (made === undefined) throw unusable(file, 'was taken away while it was made');
  return held(made, file);
}

function held(text: string, from: string): HeldKey {
  const key = readSecretsKeyText(text);
  if (key === undefined)
    throw unusable(from, 'holds no key: 32 random bytes, as 64 hex digits or 43 characters of base64url');
  return { box: createSecretBox(key), from };
}

/** Undefined when there is no such file. */
async function readKeyFile(file: string, log: Logger): Promise<string | undefined> {
  try {
    const text = await readFile(file, 'utf8');
    const before = (await stat(file)).mode;
    await closeToOthers(file);
    const { mode } = await stat(file);
    if ((mode & FOR_ALL_OTHERS) !== 0) {
      throw unusable(
        file,
        'can be read by everybody on this machine, and is not ours to change: its mode must be 0600',
      );
    }
    if (mode !== before) {
      log.warn(
        { file },
        'the key of secrets could be read by other users of this machine until now: if one of them may have done so, take the file away and run: mintscope admin secrets renew',
      );
    }
    return text.trim();
  } catch (error) {
    if (error instanceof AccountsError) throw error;
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw unusable(file, `cannot be read: ${reasonOf(error)}`);
  }
}

async function writeDurably(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', PRIVATE_FILE);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

async function syncFolder(path: string): Promise<void> {
  const folder = await open(path);
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

function unusable(where: string, what: string): AccountsError {
  return new AccountsError('secrets_key_unusable', `the key of the accounts database, ${where}, ${what}`);
}

/** The system's word for it, which holds names of files and nothing of what is in them. */
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
