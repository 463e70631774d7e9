import type { Address } from '../chain/address.ts';
import type { Block, Transaction } from '../chain/block.ts';
import { seekKey } from '../chain/keys/sought-keys.ts';
import { MalformedWire } from '../chain/malformed-wire.ts';
import type { Journal } from '../kernel/journal.ts';
import { decodeEvents } from '../programs/decode.ts';
import type { ProgramEvent } from '../programs/program-event.ts';
import { PUMP_PROGRAM } from '../programs/pump/ids.ts';
import { PUMP_AMM_PROGRAM } from '../programs/pump-amm/ids.ts';
import { attemptsOf } from './attempts.ts';
import { markBundled } from './bundling.ts';
import { EconomicsSum } from './economics.ts';
import { equitySwapsOf } from './equity-swaps.ts';
import type { BlockFacts } from './fact.ts';
import { emptyFactLists, type FactLists } from './fact-lists.ts';
import { DEFAULT_FACT_RULES, type FactRules } from './fact-rules.ts';
import { fundingsOf } from './fundings.ts';
import { TransactionScope } from './transaction-scope.ts';
import { transfersOf } from './transfers.ts';
import { VenueFacts } from './venue-facts.ts';

const PUMP = seekKey(PUMP_PROGRAM);
const PUMP_AMM = seekKey(PUMP_AMM_PROGRAM);
const NO_ACCOUNTS: ReadonlySet<Address> = new Set();

/**
 * Everything that happened in a block, in our words. Pure: no clock, no state,
 * and the same block gives the same facts on every machine. Odd data is noted
 * in the journal, never thrown. The rules are those of docs/rules.md.
 */
export function deriveFacts(block: Block, journal: Journal, rules: FactRules = DEFAULT_FACT_RULES): BlockFacts {
  const lists = emptyFactLists();
  const economics = new EconomicsSum();
  for (const transaction of block.transactions) {
    const scope = readableScope(block, transaction, rules, lists, journal);
    if (scope !== undefined) economics.add(scope);
  }
  if (block.whole) markBundled(lists.swaps);
  return {
    slot: block.slot,
    blockhash: block.blockhash,
    parentSlot: block.parentSlot,
    time: block.blockTime ?? 0,
    whole: block.whole,
    ...lists,
    economics: economics.total(block),
  };
}

/** Readers are lazy, so that a transaction may show only here that it makes no sense: it must not cost its block. */
function readableScope(
  block: Block,
  transaction: Transaction,
  rules: FactRules,
  lists: FactLists,
  journal: Journal,
): TransactionScope | undefined {
  try {
    return deriveTransaction(block, transaction, rules, lists, journal);
  } catch (error) {
    if (!(error instanceof MalformedWire)) throw error;
    journal.note({
      code: 'malformed_transaction',
      subject: 'facts',
      detail: { slot: block.slot, blockIndex: transaction.index, reason: error.message },
    });
    return undefined;
  }
}

function deriveTransaction(
  block: Block,
  transaction: Transaction,
  rules: FactRules,
  lists: FactLists,
  journal: Journal,
): TransactionScope {
  const [pump, amm] = [transaction.keys.find(PUMP), transaction.keys.find(PUMP_AMM)];
  const namesVenue = pump >= 0 || amm >= 0;
  if (transaction.error !== null) {
    const scope = new TransactionScope(block, transaction, block.blockTime ?? 0);
    if (namesVenue) attemptsOf(scope, lists.attempts);
    return scope;
  }
  if (!namesVenue || !callsAnyOf(transaction, pump, amm)) {
    const scope = new TransactionScope(block, transaction, block.blockTime ?? 0);
    const swaps = equitySwapsOf(scope, NO_ACCOUNTS);
    lists.swaps.push(...swaps);
    transfersOf(scope, swaps.length, lists.transfers, lists.burns);
    fundingsOf(scope, rules, lists.fundings);
    return scope;
  }
  const events = decodeEvents(transaction, journal);
  const scope = new TransactionScope(block, transaction, block.blockTime ?? eventTime(events));
  new VenueFacts(scope, lists, journal).derive(events);
  fundingsOf(scope, rules, lists.fundings);
  return scope;
}

/**
 * True when an instruction of one of these programs is in the call tree: anybody can name a program among the accounts
 * of a send, which makes no trade of it. Where calls of calls were not recorded, to be named is to be called.
 */
function callsAnyOf({ hasInnerInstructions, instructions }: Transaction, pump: number, amm: number): boolean {
  if (!hasInnerInstructions) return true;
  for (const { programIndex } of instructions) {
    if (programIndex === pump || programIndex === amm) return true;
  }
  return false;
}

/** Events carry the time that the block itself may lack; it is the same clock. */
function eventTime(events: readonly ProgramEvent[]): number {
  for (const { data } of events) {
    if ('timestamp' in data && data.timestamp !== undefined) return Number(data.timestamp);
  }
  return 0;
}
