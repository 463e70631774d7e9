import { type Static, Type } from 'typebox';

export const ErrorBody = Type.Object(
  {
    error: Type.Object({
      code: Type.String({ description: 'Stable; the message may change.' }),
      message: Type.String(),
      param: Type.Optional(Type.String({ description: 'The parameter at fault.' })),
      request_id: Type.String(),
      details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  },
  { $id: 'Error' },
);
export type ErrorBody = Static<typeof ErrorBody>;

/** The same data as RFC 9457, for clients that accept application/problem+json. */
export const Problem = Type.Object(
  {
    type: Type.String(),
    title: Type.String(),
    status: Type.Integer(),
    code: Type.String(),
    detail: Type.String(),
    instance: Type.String(),
    param: Type.Optional(Type.String()),
    details: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { $id: 'Problem' },
);
export type Problem = Static<typeof Problem>;
