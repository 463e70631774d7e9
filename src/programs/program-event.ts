import { DISCRIMINATOR_BYTES, EVENT_TAG } from './discriminator.ts';
import type { DataOf, Layout } from './layout.ts';
import { discriminatorBytes, encodeLayout } from './layout-writer.ts';
import type { VenueName } from './venues.ts';
import { VENUES } from './venues.ts';

export type EventName<V extends VenueName> = keyof (typeof VENUES)[V]['events'] & string;

export type EventData<V extends VenueName, N extends EventName<V>> = DataOf<(typeof VENUES)[V]['events'][N]>;

type EventsOf<V extends VenueName> = {
  readonly [N in EventName<V>]: {
    readonly program: V;
    readonly name: N;
    readonly data: EventData<V, N>;
    /** Pre-order index of the event's self-CPI. */
    readonly ixIndex: number;
    /** Pre-order index of the venue instruction that emitted it, -1 when unknown. */
    readonly callIndex: number;
  };
}[EventName<V>];

/** An event that one of the three programs emitted, told apart by `program` and `name`. */
export type ProgramEvent = EventsOf<'pump'> | EventsOf<'pump_amm'> | EventsOf<'pump_fees'>;

/**
 * Discriminator and fields of an event: what follows `Program data:` in the
 * logs. Data without its later fields encodes as an older generation did.
 */
export function encodeEvent<V extends VenueName, N extends EventName<V>>(
  venue: V,
  name: N,
  data: EventData<V, N>,
): Uint8Array {
  const layout: Layout = (VENUES[venue].events as Readonly<Record<string, Layout>>)[name]!;
  return encodeLayout(layout, data as DataOf<Layout>);
}

const EVENT_TAG_BYTES = discriminatorBytes(EVENT_TAG);

/** Instruction data of the self-CPI that carries an encoded event. */
export function eventInstructionData(event: Uint8Array): Uint8Array {
  const data = new Uint8Array(DISCRIMINATOR_BYTES + event.length);
  data.set(EVENT_TAG_BYTES);
  data.set(event, DISCRIMINATOR_BYTES);
  return data;
}
