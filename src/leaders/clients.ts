import data from './clients.json' with { type: 'json' };
import type { Validator } from './epoch-schedule.ts';

interface VersionShape {
  readonly pattern: RegExp;
  readonly name: string;
  /** Of the versions of two clients that look the same: the one that shares tips. */
  readonly withTips: string | undefined;
}

const CLIENTS = new Map(data.entries.map((entry) => [entry.id, entry]));
const SHAPES: readonly VersionShape[] = data.versions.map(({ pattern, name, withTips }) => ({
  pattern: new RegExp(pattern),
  name,
  withTips,
}));

type Told = Pick<Validator, 'clientId' | 'version' | 'sharesTips'>;

/**
 * The client that a validator runs: by its id, without one by the shape of its version; undefined while neither tells.
 * An id that is not listed is of a client that is not known, whatever its versions look like.
 */
export function clientOf({ clientId, version, sharesTips }: Told): string | undefined {
  if (clientId !== undefined) return CLIENTS.get(clientId)?.name;
  if (version === undefined) return undefined;
  const shape = SHAPES.find(({ pattern }) => pattern.test(version));
  if (shape?.withTips === undefined) return shape?.name;
  // Two clients number their versions alike.
  if (sharesTips === undefined) return undefined;
  return sharesTips ? shape.withTips : shape.name;
}

/**
 * True when a validator runs the bundle relay client: its client always does, or it shares tips whatever its client.
 */
export function runsRelay({ clientId, sharesTips }: Told): boolean {
  return sharesTips === true || (clientId !== undefined && CLIENTS.get(clientId)?.relay === true);
}
