import { CommandMisuse } from './commands/command-misuse.ts';
import { InvalidConfig, readConfig } from './config.ts';
import { StoreError } from './store/clickhouse/store-error.ts';

/** What `mintscope` can be told to do. Each command is loaded when it is asked for. */
const COMMANDS = {
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
  capture: {
    help: 'write blocks of the configured source to a file, to replay later',
    load: async () => (await import('./commands/capture.ts')).capture,
  },
  admin: {
    help: 'API keys: create, list, revoke',
    load: async () => (await import('./commands/admin.ts')).admin,
  },
} as const;

const USAGE = `usage: mintscope <command> [options]

${Object.entries(COMMANDS)
  .map(([name, { help }]) => `  ${name.padEnd(10)}${help}`)
  .join('\n')}

Settings come from the environment; see .env.example.
`;

const MISUSE_EXIT_CODE = 2;

/** Runs a command line. Known faults become a sentence on stderr and an exit code; unknown ones keep their stack. */
export async function main(argv: readonly string[]): Promise<void> {
  const [name = 'serve', ...words] = argv;
  if (name === '--help' || name === 'help') {
    process.stdout.write(USAGE);
    return;
  }
  if (!(name in COMMANDS)) {
    process.stderr.write(`unknown command: ${name}\n\n${USAGE}`);
    process.exitCode = MISUSE_EXIT_CODE;
    return;
  }
  try {
    const run = await COMMANDS[name as keyof typeof COMMANDS].load();
    await run(readConfig(process.env), words);
  } catch (error) {
    const isMisuse = error instanceof InvalidConfig || error instanceof CommandMisuse;
    const isKnown = isMisuse || error instanceof StoreError || (error instanceof Error && 'code' in error);
    process.stderr.write(`mintscope: ${isKnown && error instanceof Error ? error.message : describe(error)}\n`);
    process.exitCode = isMisuse ? MISUSE_EXIT_CODE : 1;
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
