import type { Config } from '../config.ts';
import { candidateOf, isCandidate } from '../ingest/report/tip-candidates.ts';
import { readCandidates } from '../ingest/report/tip-candidates-file.ts';
import { type Command, CommandMisuse, readWords } from './command.ts';
import { existingStoreFolder } from './store-folder.ts';

const usage = `usage: mintscope candidates [--limit <n>] [--all]

Accounts that no list names and that are paid small amounts beside trades by many: tip accounts and platforms' fee
wallets that the registry lacks, those with the most payers first. Prints JSON. Works while the service runs, which
writes them every minute.

  --limit <n>  so many, 20 unless it is said
  --all        also those of few payers, or on few tokens
`;

export const candidates: Command = { usage, run };

const DEFAULT_LIMIT = 20;
const MAX_LIMIT = 1_000;

async function run(config: Config, words: readonly string[]): Promise<void> {
  const { values } = readWords(words, { limit: { type: 'string' }, all: { type: 'boolean' } });
  const limit = values.limit === undefined ? DEFAULT_LIMIT : Number(values.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new CommandMisuse(`--limit must be a whole number from 1 to ${MAX_LIMIT}`);
  }
  const kept = await readCandidates(existingStoreFolder(config));
  const accounts = (kept?.accounts ?? []).filter((account) => values.all === true || isCandidate(account));
  const told = accounts.slice(0, limit).map(candidateOf);
  const result = {
    // Left out while no service has written any: then nothing is known, not that there is none.
    ...(kept === undefined ? {} : { written_at: new Date(kept.at).toISOString(), found: accounts.length }),
    data: told.map(({ wallet, payments, payers, tokens, lamports, firstSlot, lastSlot }) => ({
      ...{ wallet, payments, payers, tokens, lamports: String(lamports), first_slot: firstSlot, last_slot: lastSlot },
    })),
  };
  process.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
}
