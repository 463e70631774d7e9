import type { Service } from '../api/processes.ts';

export interface Asked {
  /** Milliseconds of each answer, given up ones too. */
  readonly times: readonly number[];
  /** Answers that were given up because they took too long. */
  readonly givenUp: number;
}

/** Asks for everything with so many clients at once, each taking the next thing; `ask` tells whether it was answered. */
export async function askAll<T>(
  things: readonly T[],
  clients: number,
  ask: (thing: T, client: number) => Promise<boolean>,
): Promise<Asked> {
  const times: number[] = [];
  let givenUp = 0;
  let next = 0;
  const work = async (client: number) => {
    while (next < things.length) {
      const thing = things[next]!;
      next += 1;
      const begun = performance.now();
      if (!(await ask(thing, client))) givenUp += 1;
      times.push(performance.now() - begun);
    }
  };
  await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
  return { times, givenUp };
}

/** Reads an answer of the service to its end, each client as a customer of its own. False when the service gave it up. */
export async function ask(service: Service, path: string, client = 0): Promise<boolean> {
  const key = service.keys[client % service.keys.length]!;
  const answer = await fetch(service.address + path, { headers: { 'x-api-key': key } });
  const body = await answer.text();
  if (answer.status === 200) return true;
  if (answer.status === 504) return false;
  throw new Error(`${path} answered ${answer.status}: ${body.slice(0, 300)}`);
}
