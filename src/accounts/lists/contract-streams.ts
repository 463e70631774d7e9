import { Type } from 'typebox';
import {
  booleanField,
  digitsField,
  nameField,
  nullable,
  optional,
  textField,
  wordsField,
} from '../../contract/fields.ts';
import { parameter } from '../../contract/parameter.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Done, List } from '../../contract/scalars.ts';
import { DEFAULT_FEED_LAMPORTS, MAX_FEED_LAMPORTS, MIN_FEED_LAMPORTS } from './contract-limits.ts';
import { LIST_ROUTE, newcomersExample, STREAM_KINDS, Stream, streamExample } from './contract-shapes.ts';

const GROUP_ID_MAX = 64;

const id = parameter({
  schema: Type.Integer({ minimum: 1, description: 'The stream.' }),
  // Fifteen digits are a number that JSON carries exactly.
  parse: (text) => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined),
  absent: 0,
  error: 'invalid_param',
  expected: 'must be the number of a stream',
});

const kinds = wordsField(STREAM_KINDS, 'unknown_kind', 'What the stream is to carry.');

/** A group, or empty or null for none. Which groups there are the answer decides: none that is not the owner's. */
const walletList = optional(
  nullable(
    textField({
      description: 'Group of the wallets whose swaps the stream is to carry; `swaps` needs one. Empty for none.',
      minimum: 0,
      maximum: GROUP_ID_MAX,
    }),
  ),
);
const devList = optional(
  nullable(
    textField({
      description: 'Group of the creators whose new tokens the stream is to carry. Empty for those of all.',
      minimum: 0,
      maximum: GROUP_ID_MAX,
      error: 'dev_list_invalid',
    }),
  ),
);
const minSol = optional(
  digitsField(
    MIN_FEED_LAMPORTS,
    MAX_FEED_LAMPORTS,
    `Lamports of the smallest trade in \`feed\`; ${DEFAULT_FEED_LAMPORTS} unless told.`,
  ),
);

export const listStreams = defineRoute({
  ...LIST_ROUTE,
  path: '/ws-subscriptions',
  name: 'listStreams',
  summary: 'Stream subscriptions',
  description: 'In the order in which they were made, with their tokens.',
  response: List(Stream),
  examples: { streams: { data: [streamExample, newcomersExample] } },
});

export const createStream = defineRoute({
  ...LIST_ROUTE,
  method: 'POST',
  path: '/ws-subscriptions',
  name: 'createStream',
  summary: 'Make a stream subscription',
  description:
    'It is on at once. Wallets and creators come from wallet groups of the same owner; a wallet list that is not one of them is answered as one that does not exist, 404 group_not_found. An account has as many streams as its plan says, 3 unless it says otherwise.',
  body: {
    name: nameField('What to call it.'),
    kinds,
    wallet_list_id: walletList,
    dev_list_id: devList,
    min_sol: minSol,
  },
  response: Stream,
  errors: ['wallet_list_required', 'group_not_found', 'dev_list_invalid', 'stream_limit'],
  examples: { stream: streamExample },
});

export const updateStream = defineRoute({
  ...LIST_ROUTE,
  method: 'PUT',
  path: '/ws-subscriptions/{id}',
  name: 'updateStream',
  summary: 'Set a stream subscription, turn it on or off',
  description:
    'What is left out stays. The lists are read again each time, so an empty object brings `wallets` and `devs` up to date. A stream that is on needs lists that are there; one that is turned off may have lost them, and then holds no wallets. Turned off, it refuses connections, and open ones are closed with 4404 within a second.',
  params: { id },
  body: {
    name: optional(nameField('What to call it from now on.')),
    kinds: optional(kinds),
    wallet_list_id: walletList,
    dev_list_id: devList,
    min_sol: minSol,
    active: optional(booleanField('True turns it on, false off.')),
  },
  response: Stream,
  errors: ['wallet_list_required', 'group_not_found', 'dev_list_invalid'],
  absent: 'stream_not_found',
  examples: { stream: streamExample, off: { ...newcomersExample, active: false } },
});

export const rotateStream = defineRoute({
  ...LIST_ROUTE,
  method: 'POST',
  path: '/ws-subscriptions/{id}/rotate',
  name: 'rotateStream',
  summary: 'Give a stream subscription another token',
  description: 'The old token opens nothing from now on, and connections that it opened are closed with 4404.',
  params: { id },
  response: Stream,
  absent: 'stream_not_found',
  examples: { stream: streamExample },
});

export const deleteStream = defineRoute({
  ...LIST_ROUTE,
  method: 'DELETE',
  path: '/ws-subscriptions/{id}',
  name: 'deleteStream',
  summary: 'Delete a stream subscription',
  description: 'Connections that are open on it are closed with 4404 within a second.',
  params: { id },
  response: Done,
  absent: 'stream_not_found',
  examples: { done: { ok: true } },
});

export const STREAM_ROUTES: readonly RouteContract[] = [
  listStreams,
  createStream,
  updateStream,
  rotateStream,
  deleteStream,
];
