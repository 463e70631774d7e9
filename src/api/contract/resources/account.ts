import { type Static, Type } from 'typebox';
import { Address, Count, Timestamp } from './scalars.ts';

export const KEY_STATES = ['active', 'suspended', 'revoked'] as const;
export const ACCOUNT_STATES = ['active', 'not_ready', 'suspended', 'banned'] as const;

const RateLimit = Type.Object(
  {
    rps: Count('Requests a second.'),
    burst: Count('Requests at once after a pause.'),
  },
  { description: 'How often a key may ask.' },
);

export const KeyResource = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    prefix: Type.String({ description: 'First characters of the key, to tell keys apart. The rest is not kept.' }),
    state: Type.Enum([...KEY_STATES], {
      type: 'string',
      description: 'Only an active key is let in. A revoked one never comes back.',
    }),
    created_at: Timestamp('When it was made.'),
    last_used_at: Type.Optional(Timestamp('When it was last used, to about a minute. Absent before the first call.')),
    pool: Type.Enum(['general', 'dedicated'], {
      type: 'string',
      description: 'What its calls are paid from: the account’s credits, or a budget of its own.',
    }),
    rate_limit: RateLimit,
    budget: Type.Optional(Count('Credits a month of its own. Absent with the general pool.')),
  },
  { $id: 'Key' },
);
export type KeyResource = Static<typeof KeyResource>;

export const IssuedKey = Type.Object(
  {
    ...KeyResource.properties,
    key: Type.String({ pattern: '^ms_live_', description: 'The key. Shown this once: only its hash is kept.' }),
  },
  { $id: 'IssuedKey' },
);
export type IssuedKey = Static<typeof IssuedKey>;

export const Account = Type.Object(
  {
    account_id: Type.Integer(),
    wallet: Type.Optional(Address('Who owns it. Absent for the account of whoever runs the service.')),
    state: Type.Enum([...ACCOUNT_STATES], { type: 'string', description: 'Only an active account is let in.' }),
    plan: Type.String({ description: 'Name of its plan.' }),
    created_at: Timestamp('When it was made.'),
    keys: Count('Keys that count towards the limit: all but revoked ones.'),
    streams: Count('Streams it has.'),
    limits: Type.Object({
      keys: Count('Keys it may have.'),
      streams: Count('Streams it may have.'),
      connections: Count('WebSocket connections it may have open.'),
      rate_limit: RateLimit,
    }),
  },
  { $id: 'Account' },
);
export type Account = Static<typeof Account>;

export const ConnectionResource = Type.Object(
  {
    id: Type.String(),
    ip: Type.String({ description: 'Where it came from.' }),
    opened_at: Timestamp('When it was opened.'),
    topics: Type.Array(Type.String(), { description: 'What it listens to.' }),
    key_id: Type.Integer({ description: 'Whose key it was opened with.' }),
    stream_id: Type.Optional(Type.Integer({ description: 'Absent without a stream.' })),
  },
  { $id: 'Connection' },
);
export type ConnectionResource = Static<typeof ConnectionResource>;
