import { ApiError } from '../contract/errors.ts';

/** Requests that wait for something outside of memory, so that a stop can tell them what becomes of them. */
export interface AnswersUnderWay {
  /** Until `leave` is called, `fail` is what tells a request that it will not be answered. Told at once when the stop is past. */
  enter(fail: (error: ApiError) => void): () => void;
  /** Nothing is begun any more. */
  readonly isOver: boolean;
  /** Answers all of them with 503 `shutting_down`, and whoever comes from now on. */
  giveUp(): void;
}

declare module 'fastify' {
  interface FastifyInstance {
    answersUnderWay: AnswersUnderWay;
  }
}

export function createAnswersUnderWay(): AnswersUnderWay {
  const waiting = new Set<(error: ApiError) => void>();
  let isOver = false;
  return {
    enter(fail) {
      if (isOver) {
        fail(new ApiError('shutting_down'));
        return () => {};
      }
      waiting.add(fail);
      return () => void waiting.delete(fail);
    },
    get isOver() {
      return isOver;
    },
    giveUp() {
      isOver = true;
      for (const fail of [...waiting]) fail(new ApiError('shutting_down'));
      waiting.clear();
    },
  };
}
