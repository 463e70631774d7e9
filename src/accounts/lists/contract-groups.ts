import { Type } from 'typebox';
import { addressField, addressListField, nameField, optional, textField } from '../../contract/fields.ts';
import { addressParameter, flagParameter, parameter } from '../../contract/parameter.ts';
import { defineRoute, type RouteContract } from '../../contract/route.ts';
import { Done, List } from '../../contract/scalars.ts';
import { MAX_GROUP_WALLETS, MAX_GROUPS, MAX_LISTED_WALLETS, MAX_NOTE } from './contract-limits.ts';
import {
  GROUP_ID_PATTERN,
  groupExample,
  groupRowExample,
  LIST_ROUTE,
  newGroupExample,
  WalletGroup,
  WalletsAdded,
} from './contract-shapes.ts';

const GROUP_ID = new RegExp(GROUP_ID_PATTERN);
const ID_SHAPE = 'must be 1 to 64 of a-z, 0-9, _ and -';

const id = parameter({
  schema: Type.String({ pattern: GROUP_ID_PATTERN, description: 'The group.' }),
  parse: (text) => (GROUP_ID.test(text) ? text : undefined),
  absent: '',
  error: 'invalid_param',
  expected: ID_SHAPE,
});

export const listGroups = defineRoute({
  ...LIST_ROUTE,
  path: '/wallet-groups',
  name: 'listWalletGroups',
  summary: 'Wallet groups',
  description: 'In the order in which they were made.',
  query: { members: flagParameter('With the wallets of each.') },
  response: List(WalletGroup),
  examples: { groups: { data: [groupRowExample] }, members: { data: [groupExample] } },
});

export const createGroup = defineRoute({
  ...LIST_ROUTE,
  method: 'POST',
  path: '/wallet-groups',
  name: 'createWalletGroup',
  summary: 'Make a wallet group',
  description: `At most ${MAX_GROUPS} groups belong to a wallet. Ids are unique among the groups of one owner.`,
  body: {
    name: nameField('What to call it.'),
    id: optional(
      textField({
        description: 'Generated when left out.',
        maximum: 64,
        pattern: GROUP_ID,
        expected: ID_SHAPE,
      }),
    ),
  },
  response: WalletGroup,
  errors: ['group_exists', 'too_many_items'],
  examples: { made: newGroupExample },
});

export const getGroup = defineRoute({
  ...LIST_ROUTE,
  path: '/wallet-groups/{id}',
  name: 'getWalletGroup',
  summary: 'A wallet group and who is in it',
  params: { id },
  response: WalletGroup,
  absent: 'group_not_found',
  examples: { group: groupExample },
});

export const renameGroup = defineRoute({
  ...LIST_ROUTE,
  method: 'PUT',
  path: '/wallet-groups/{id}',
  name: 'renameWalletGroup',
  summary: 'Rename a wallet group',
  params: { id },
  body: { name: nameField('What to call it from now on.') },
  response: Done,
  absent: 'group_not_found',
  examples: { done: { ok: true } },
});

export const deleteGroup = defineRoute({
  ...LIST_ROUTE,
  method: 'DELETE',
  path: '/wallet-groups/{id}',
  name: 'deleteWalletGroup',
  summary: 'Delete a wallet group and what is in it',
  description: 'Streams that were set with it keep the wallets that they have until they are set again.',
  params: { id },
  response: Done,
  absent: 'group_not_found',
  examples: { done: { ok: true } },
});

export const addWallets = defineRoute({
  ...LIST_ROUTE,
  method: 'POST',
  path: '/wallet-groups/{id}/wallets',
  name: 'addGroupWallets',
  summary: 'Add wallets to a group',
  description: `\`wallets\`, or \`wallet\` with a \`note\` if you like. A wallet that is there already stays as it is; a note replaces its note, an empty one takes it away. A group holds at most ${MAX_GROUP_WALLETS} wallets, all groups of an owner together at most ${MAX_LISTED_WALLETS}: when not all fit, none is added.`,
  params: { id },
  body: {
    wallets: optional(
      addressListField(MAX_GROUP_WALLETS, 'invalid_wallet', 'Wallets to add; each counts once.', 'group_full'),
    ),
    wallet: optional(addressField('invalid_wallet', 'One wallet to add, in the place of `wallets`.')),
    note: optional(textField({ description: 'What to write beside `wallet`.', minimum: 0, maximum: MAX_NOTE })),
  },
  response: WalletsAdded,
  errors: ['conflicting_params', 'group_full', 'too_many_items'],
  absent: 'group_not_found',
  examples: { added: { ok: true, added: 2 }, known: { ok: true, added: 0 } },
});

export const removeWallet = defineRoute({
  ...LIST_ROUTE,
  method: 'DELETE',
  path: '/wallet-groups/{id}/wallets/{wallet}',
  name: 'removeGroupWallet',
  summary: 'Take a wallet out of a group',
  description: 'One that is not in it is out of it already.',
  params: { id, wallet: addressParameter('invalid_wallet', 'The wallet to take out.') },
  response: Done,
  absent: 'group_not_found',
  examples: { done: { ok: true } },
});

export const WALLET_GROUP_ROUTES: readonly RouteContract[] = [
  listGroups,
  createGroup,
  getGroup,
  renameGroup,
  deleteGroup,
  addWallets,
  removeWallet,
];
