import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeEvent } from '../../src/programs/decode.ts';
import type { ProgramEvent } from '../../src/programs/program-event.ts';
import { VENUE_NAMES } from '../../src/programs/venues.ts';
import { fixturePath } from './fixtures.ts';

export interface LoggedEvent {
  readonly file: string;
  readonly bytes: Uint8Array;
  readonly event: ProgramEvent;
  /** Bytes that no field explained. */
  readonly unexplained: number;
}

/** Every launchpad event that the logs in the fixtures hold, each once; none without fixtures. */
export function loggedEvents(folders = ['transactions', 'events-2026-10']): LoggedEvent[] {
  const seen = new Set<string>();
  const events: LoggedEvent[] = [];
  for (const folder of folders) {
    const path = fixturePath(folder);
    for (const file of path === undefined ? [] : readdirSync(path).sort()) {
      for (const [, text] of readFileSync(join(path!, file), 'utf8').matchAll(/Program data: ([A-Za-z0-9+/=]+)/g)) {
        if (text === undefined || seen.has(text)) continue;
        seen.add(text);
        const event = decodeLogged(Buffer.from(text, 'base64'), file);
        if (event !== undefined) events.push(event);
      }
    }
  }
  return events;
}

/** Logs do not say whose event it is where only data lines were kept: the program is the one that knows it. */
function decodeLogged(bytes: Uint8Array, file: string): LoggedEvent | undefined {
  for (const venue of VENUE_NAMES) {
    let unexplained = 0;
    const journal = {
      note(oddity: { code: string; detail?: Readonly<Record<string, string | number>> }) {
        if (oddity.code === 'event_tail') unexplained = Number(oddity.detail?.bytes);
      },
    };
    const event = decodeEvent(venue, bytes, 0, 0, 0, journal);
    if (event !== undefined) return { file, bytes, event, unexplained };
  }
  return undefined;
}

/** `snake_case` to `camelCase`, as field names of IDLs become ours. */
export function camelCase(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());
}
