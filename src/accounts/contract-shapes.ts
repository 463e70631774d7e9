import { type Static, Type } from 'typebox';
import { Address, Count, Timestamp } from '../contract/scalars.ts';
import { ACCOUNT_STATES, KEY_STATES } from '../contract/states.ts';

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

const RATE_LIMIT = { rps: 10, burst: 20 };

export const accountExample: Account = {
  account_id: 7,
  wallet: '9JYALPFZgzfD7w9HvXypnYTTTSEL2NXLDLFegip6qBE6',
  state: 'active',
  plan: 'trial',
  created_at: '2026-08-01T10:00:00.000Z',
  keys: 2,
  streams: 1,
  limits: { keys: 10, streams: 3, connections: 6, rate_limit: RATE_LIMIT },
};

export const keyExample: KeyResource = {
  id: 12,
  name: 'first',
  prefix: 'ms_live_4tZk',
  state: 'active',
  created_at: '2026-08-01T10:00:00.000Z',
  last_used_at: '2026-08-01T11:32:10.250Z',
  pool: 'general',
  rate_limit: RATE_LIMIT,
};

export const budgetKeyExample: KeyResource = {
  id: 13,
  name: 'bot',
  prefix: 'ms_live_9aQw',
  state: 'active',
  created_at: '2026-08-01T10:05:00.000Z',
  pool: 'dedicated',
  rate_limit: { rps: 5, burst: 10 },
  budget: 50_000,
};

/** Made of bytes that are all three: nobody has it. */
export const issuedKeyExample: IssuedKey = {
  ...budgetKeyExample,
  prefix: 'ms_live_CktR',
  key: 'ms_live_CktRuQ2mttgRGkXJtyksdKHjUdc2C4TgDzyB98oEzy8Example',
};

export const connectionExample: ConnectionResource = {
  id: '0b8f0c9e-54b0-4f0e-9a57-3f1a3f5f7c11',
  ip: '203.0.113.7',
  opened_at: '2026-08-01T11:00:00.000Z',
  topics: ['sub:17', 'leaders'],
  key_id: 12,
  stream_id: 17,
};
