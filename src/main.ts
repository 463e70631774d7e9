import { type Command, CommandMisuse } from './commands/command.ts';
import { InvalidConfig, readConfig } from './config.ts';
import { DESCRIPTORS_REMEDY, isOutOfDescriptors } from './kernel/descriptors.ts';
import { StoreError } from './store/clickhouse/store-error.ts';

interface Entry {
  readonly help: string;
  readonly load: () => Promise<Command>;
}

/** Commands of `mintscope`. Each is loaded when it is asked for. */
const COMMANDS: Readonly<Record<string, Entry>> = {
  serve: {
    help: 'run the service: ingest, store and API',
    load: async () => (await import('./commands/serve.ts')).serve,
  },
  backfill: {
    help: 'read a range of slots from RPC into the store',
    load: async () => (await import('./commands/backfill.ts')).backfill,
  },
  verify: {
    help: 'prove that positions and rollups equal the fold of their facts',
    load: async () => (await import('./commands/verify.ts')).verify,
  },
  backup: {
    help: 'copy the embedded store and the accounts into a folder',
    load: async () => (await import('./commands/backup.ts')).backup,
  },
  restore: {
    help: 'put such a copy into an empty data folder',
    load: async () => (await import('./commands/backup.ts')).restore,
  },
  capture: {
    help: 'write blocks of the configured source to a file, to replay later',
    load: async () => (await import('./commands/capture.ts')).capture,
  },
  candidates: {
    help: 'accounts that may be tip accounts of services that the registry lacks',
    load: async () => (await import('./commands/candidates.ts')).candidates,
  },
  admin: {
    help: 'accounts, keys and credits: see them, change them',
    load: async () => (await import('./commands/admin.ts')).admin,
  },
};

const USAGE = `usage: mintscope <command> [options]

${Object.entries(COMMANDS)
  .map(([name, { help }]) => `  ${name.padEnd(11)}${help}`)
  .join('\n')}

Each has --help. Without a command it is serve. Settings come from the environment; see .env.example.
`;

const HELP_OPTIONS: readonly string[] = ['--help', '-h'];
const MISUSE_EXIT_CODE = 2;

/** Runs a command line. Known faults become a sentence on stderr and an exit code; unknown ones keep their stack. */
export async function main(argv: readonly string[]): Promise<void> {
  // A pipe that nobody reads any more, or a full disk behind it, takes our words and must not take the service.
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(goOn)) stream.on('error', goOn);
  }
  const [name = 'serve', ...words] = argv;
  if (name === 'help' || HELP_OPTIONS.includes(name)) {
    process.stdout.write(USAGE);
    return;
  }
  if (!Object.hasOwn(COMMANDS, name)) {
    process.stderr.write(`unknown command: ${name}\n\n${USAGE}`);
    process.exitCode = MISUSE_EXIT_CODE;
    return;
  }
  try {
    // Help is what somebody asks for who has not got the configuration right yet.
    const config = words.some((word) => HELP_OPTIONS.includes(word)) ? undefined : readConfig(process.env);
    const command = await COMMANDS[name]!.load();
    if (config === undefined) process.stdout.write(command.usage);
    else await command.run(config, words);
  } catch (error) {
    const isMisuse = error instanceof InvalidConfig || error instanceof CommandMisuse;
    const remedy = isOutOfDescriptors(error) ? `\nno file descriptor was left: ${DESCRIPTORS_REMEDY}` : '';
    process.stderr.write(`mintscope: ${describe(error, isMisuse || error instanceof StoreError)}${remedy}\n`);
    process.exitCode = isMisuse ? MISUSE_EXIT_CODE : 1;
  }
}

const goOn = (): void => {};

function describe(error: unknown, isKnown: boolean): string {
  if (!(error instanceof Error)) return String(error);
  // The system's, a database's or a server's own words; codes of Node's that begin so are for faults of ours.
  const isFromOutside = 'code' in error && !String(error.code).startsWith('ERR_');
  if (isFromOutside && error.code === 'EADDRINUSE')
    return `${error.message}: stop what listens there, or set MINTSCOPE_PORT`;
  if (isFromOutside && error.code === 'EACCES' && 'port' in error)
    return `${error.message}: set MINTSCOPE_PORT to one from 1024 on`;
  return isKnown || isFromOutside ? error.message : (error.stack ?? error.message);
}
