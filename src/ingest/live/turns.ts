/** Lets one piece of work run at a time, in the order in which they were asked for. */
export interface Turns {
  take<T>(work: () => Promise<T> | T): Promise<T>;
}

export function createTurns(): Turns {
  let last: Promise<unknown> = Promise.resolve();
  return {
    take(work) {
      const turn = last.then(work);
      last = turn.catch(() => {});
      return turn;
    },
  };
}
