import { createLedger } from '../accounts/credits/ledger.ts';
import { createAccountKeys } from '../accounts/keys/account-keys.ts';
import { createAccountAdmin } from '../accounts/operator/account-admin.ts';
import { createKeyAdmin } from '../accounts/operator/key-admin.ts';
import { ensureOperatorAccount } from '../accounts/operator/operator-account.ts';
import { createSecretsAdmin } from '../accounts/operator/secrets-admin.ts';
import { loadPlans, type Plans } from '../accounts/plans.ts';
import type { Config } from '../config.ts';
import { systemClock as clock } from '../kernel/clock.ts';
import { createLogger, type Logger } from '../kernel/log.ts';
import type { AccountsDatabase } from '../store/accounts-db/accounts-db.ts';
import type { SecretsKeyPlace } from '../store/accounts-db/secrets-key.ts';
import { ACCOUNT_ACTIONS } from './admin/account-actions.ts';
import { ADMIN_OPTIONS, type AdminAction, type AdminOptions, type AdminRooms } from './admin/admin-action.ts';
import { CREDIT_ACTIONS } from './admin/credit-actions.ts';
import { KEY_ACTIONS } from './admin/key-actions.ts';
import { SECRET_ACTIONS } from './admin/secret-actions.ts';
import { type Command, CommandMisuse, readWords } from './command.ts';
import { accountsPlace, openAccounts } from './open-accounts.ts';

/** Everything that the operator can do to accounts. docs/accounts.md lists the same, and a test compares. */
export const ADMIN_ACTIONS: readonly AdminAction[] = [
  ...ACCOUNT_ACTIONS,
  ...KEY_ACTIONS,
  ...CREDIT_ACTIONS,
  ...SECRET_ACTIONS,
];

const usage = `usage: mintscope admin <what> …

${ADMIN_ACTIONS.map(({ form, help }) => `  ${form}\n      ${help}`).join('\n')}

An account is named by its id or its wallet, yours is called operator. Answers are JSON. Works while the service
runs, which obeys within a second.
`;

export const admin: Command = { usage, run };

async function run(config: Config, words: readonly string[]): Promise<void> {
  const { values, positionals } = readWords(words, ADMIN_OPTIONS, { allowPositionals: true });
  const options: AdminOptions = values;
  const { action, given } = findAction(positionals);
  for (const name of Object.keys(options)) {
    if (!action.form.includes(`--${name}`)) throw new CommandMisuse(`--${name} has no meaning here: ${action.form}`);
  }
  // Before the database is opened, so that a wrong file of plans is told first.
  const plans = await loadPlans(config.plansFile);
  const mayMakeKey = action.makesKey === true;
  const log = createLogger(config.logLevel);
  const accounts = await openAccounts(config, { clock, log, mayMakeKey });
  try {
    const result = await action.run(openRooms({ accounts, plans, key: accountsPlace(config, mayMakeKey).key, log }), {
      given,
      options,
    });
    process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
  } finally {
    await accounts.close();
  }
}

/** The action whose words were typed, and what was typed for the rest of its form. */
function findAction(typed: readonly string[]): { readonly action: AdminAction; readonly given: readonly string[] } {
  for (const action of ADMIN_ACTIONS) {
    const { words, blanks } = partsOf(action);
    if (!words.every((word, index) => typed[index] === word)) continue;
    const given = typed.slice(words.length);
    if (given.length === blanks) return { action, given };
    throw new CommandMisuse(`usage: mintscope admin ${action.form}`);
  }
  throw new CommandMisuse(usage);
}

/** `account plan <account> <plan> [--x]`: two words, two blanks. */
function partsOf({ form }: AdminAction): { readonly words: readonly string[]; readonly blanks: number } {
  const [positional = ''] = form.split(/ \[| --| \(/);
  const blanks = positional.match(/<[^>]+>/g)?.length ?? 0;
  const words = positional
    .replace(/<[^>]+>/g, '')
    .trim()
    .split(/\s+/);
  return { words, blanks };
}

interface AdminSurroundings {
  readonly accounts: AccountsDatabase;
  readonly plans: Plans;
  readonly key: SecretsKeyPlace | undefined;
  readonly log: Logger;
}

function openRooms({ accounts, plans, key, log }: AdminSurroundings): AdminRooms {
  const { db, engine } = accounts;
  const ledger = createLedger({ clock, plans });
  // Nobody listens in this process: those that serve read what is written down.
  const changes = { tell: () => undefined };
  const accountKeys = createAccountKeys({ db, clock, changes, plans, ledger });
  return {
    accountKeys,
    accounts: createAccountAdmin({ db, clock, plans, ledger, keys: accountKeys }),
    keys: createKeyAdmin(accounts, plans),
    secrets: createSecretsAdmin({ db, engine, key, clock, log }),
    operator: () =>
      db.transaction().execute(async (transaction) => {
        const { accountId } = await ensureOperatorAccount(transaction, ledger, clock);
        return accountId;
      }),
  };
}
