import type { Instruction, Transaction } from '../chain/block.ts';
import { type SoughtKey, seekKey } from '../chain/keys/sought-keys.ts';
import type { Journal } from '../kernel/journal.ts';
import {
  DISCRIMINATOR_BYTES,
  DiscriminatorMap,
  discriminatorText,
  discriminatorWord,
  EVENT_TAG,
} from './discriminator.ts';
import { readEventLogs } from './event-logs.ts';
import type { Layout } from './layout.ts';
import { LayoutCursor } from './layout-cursor.ts';
import type { LayoutReader } from './layout-reader.ts';
import { compileReader } from './layout-reader.ts';
import { readWord } from './little-endian.ts';
import type { ProgramEvent } from './program-event.ts';
import type { VenueName } from './venues.ts';
import { VENUE_NAMES, VENUES } from './venues.ts';

/** The two keys without which a transaction has no event of a venue. */
const SOUGHT: Readonly<Record<VenueName, { readonly program: SoughtKey; readonly eventAuthority: SoughtKey }>> = {
  pump: soughtOf('pump'),
  pump_amm: soughtOf('pump_amm'),
  pump_fees: soughtOf('pump_fees'),
};

function soughtOf(venue: VenueName) {
  const { program, eventAuthority } = VENUES[venue];
  return { program: seekKey(program), eventAuthority: seekKey(eventAuthority) };
}

interface EventReader {
  readonly name: string;
  readonly read: LayoutReader<unknown>;
}

const READERS: ReadonlyMap<VenueName, DiscriminatorMap<EventReader>> = new Map(
  VENUE_NAMES.map((venue) => {
    const layouts: Readonly<Record<string, Layout>> = VENUES[venue].events;
    return [venue, DiscriminatorMap.of(layouts, (name) => ({ name, read: compileReader(layouts[name]!) }))];
  }),
);

/** Instructions that have a name, whether anything reads them or not. */
const INSTRUCTIONS: ReadonlyMap<VenueName, DiscriminatorMap<true>> = new Map(
  VENUE_NAMES.map((venue) => [venue, DiscriminatorMap.of(VENUES[venue].instructions, () => true)]),
);

const TAG_LOW = discriminatorWord(EVENT_TAG, 0);
const TAG_HIGH = discriminatorWord(EVENT_TAG, 1);
const NO_EVENTS: readonly ProgramEvent[] = [];
const cursor = new LayoutCursor();

/**
 * Every event of the launchpad, its AMM and its fee program, in `ixIndex`
 * order. A failed transaction gives none, as nothing of it happened. Events
 * that no layout knows, that are too short or that end in unexplained bytes are
 * noted in the journal, never thrown.
 *
 * This runs over every transaction of every block: one without the programs
 * among its keys costs a few look-ups and no allocation.
 */
export function decodeEvents(tx: Transaction, journal: Journal): readonly ProgramEvent[] {
  if (tx.error !== null) return NO_EVENTS;
  let events: ProgramEvent[] | undefined;
  let venues = 0;
  for (const venue of VENUE_NAMES) {
    const calls = findEventCalls(tx, venue);
    if (calls === undefined) continue;
    events ??= [];
    venues++;
    decodeVenue(tx, venue, calls, events, journal);
  }
  if (events === undefined) return NO_EVENTS;
  return venues > 1 ? events.sort((a, b) => a.ixIndex - b.ixIndex) : events;
}

/** The instructions by which a venue published events: calls of itself with its event authority alone. */
function findEventCalls(tx: Transaction, venue: VenueName): Instruction[] | undefined {
  const programIndex = tx.keys.find(SOUGHT[venue].program);
  if (programIndex < 0) return undefined;
  const authorityIndex = tx.keys.find(SOUGHT[venue].eventAuthority);
  if (authorityIndex < 0) return undefined;
  let calls: Instruction[] | undefined;
  for (const instruction of tx.instructions) {
    if (instruction.programIndex !== programIndex || instruction.parent < 0) continue;
    const { accounts } = instruction;
    if (accounts.length !== 1 || accounts[0] !== authorityIndex) continue;
    if (calls === undefined) calls = [instruction];
    else calls.push(instruction);
  }
  return calls;
}

function decodeVenue(
  tx: Transaction,
  venue: VenueName,
  calls: readonly Instruction[],
  events: ProgramEvent[],
  journal: Journal,
): void {
  const logged = tx.dataEncoding === 'base58' ? readEventLogs(tx.logs, VENUES[venue].program, calls.length) : undefined;
  calls.forEach((call, order) => {
    let bytes = logged?.[order];
    let offset = 0;
    if (bytes === undefined) {
      bytes = call.data;
      offset = DISCRIMINATOR_BYTES;
      if (readWord(bytes, 0) !== TAG_LOW || readWord(bytes, 4) !== TAG_HIGH) {
        // Published as events are, but in a way that nobody knows yet.
        journal.note({
          code: 'unknown_event',
          subject: venue,
          detail: { discriminator: discriminatorText(bytes, 0), bytes: bytes.length },
        });
        return;
      }
    }
    const callIndex = findCaller(tx, call);
    // Data of calls is not looked at when events are read out of logs.
    if (logged === undefined) noteUnknownCall(venue, tx.instructions[callIndex], journal);
    const event = decodeEvent(venue, bytes, offset, call.index, callIndex, journal);
    if (event !== undefined) events.push(event);
  });
}

/** Only a call that succeeded is looked at: anybody can send what a program refuses. */
function noteUnknownCall(venue: VenueName, call: Instruction | undefined, journal: Journal): void {
  if (call === undefined || INSTRUCTIONS.get(venue)!.find(call.data, 0) !== undefined) return;
  journal.note({
    code: 'unknown_instruction',
    subject: venue,
    detail: { discriminator: discriminatorText(call.data, 0), bytes: call.data.length },
  });
}

/** Decodes one event from its discriminator on. */
export function decodeEvent(
  venue: VenueName,
  bytes: Uint8Array,
  offset: number,
  ixIndex: number,
  callIndex: number,
  journal: Journal,
): ProgramEvent | undefined {
  const reader = READERS.get(venue)!.find(bytes, offset);
  if (reader === undefined) {
    journal.note({
      code: 'unknown_event',
      subject: venue,
      detail: { discriminator: discriminatorText(bytes, offset), bytes: bytes.length - offset },
    });
    return undefined;
  }
  cursor.open(bytes, offset + DISCRIMINATOR_BYTES);
  const data = reader.read(cursor);
  if (data === undefined) {
    journal.note({
      code: 'event_too_short',
      subject: `${venue}.${reader.name}`,
      detail: { bytes: bytes.length - offset },
    });
    return undefined;
  }
  if (cursor.remaining > 0) {
    journal.note({ code: 'event_tail', subject: `${venue}.${reader.name}`, detail: { bytes: cursor.remaining } });
  }
  return { program: venue, name: reader.name, data, ixIndex, callIndex } as ProgramEvent;
}

/**
 * The venue's instruction that published an event: its nearest ancestor of the
 * same program. Blocks recorded without stack heights put every inner call
 * under the top-level one; there it is the venue's last call before the event.
 */
function findCaller(tx: Transaction, event: Instruction): number {
  const { instructions } = tx;
  for (let at = event.parent; at >= 0; at = instructions[at]!.parent) {
    if (instructions[at]!.programIndex === event.programIndex) return at;
  }
  const authority = event.accounts[0];
  for (let at = event.index - 1; at >= 0 && instructions[at]!.outer === event.outer; at--) {
    const candidate = instructions[at]!;
    const isEvent = candidate.accounts.length === 1 && candidate.accounts[0] === authority;
    if (candidate.programIndex === event.programIndex && !isEvent) return at;
  }
  return -1;
}
