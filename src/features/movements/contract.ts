import { Type } from 'typebox';
import { addressParameter, choiceParameter, limitParameter, parameter } from '../../contract/parameter.ts';
import { flatPrice, ROW_RULE, rowPrice } from '../../contract/price.ts';
import { defineRoute } from '../../contract/route.ts';
import { Page } from '../../contract/scalars.ts';
import { decodeTransferCursor, decodeWalletTransferCursor } from '../../contract/transfer-cursor.ts';
import {
  FundingClusters,
  fundingClustersExample,
  quietSendsExample,
  Sends,
  sendsExample,
  TokenTransfer,
  TransferPage,
  tokenTransferExample,
} from './contract-shapes.ts';

/** Hours that one page of transfers looks back. */
export const TRANSFER_WINDOWS = { '6h': 6, '24h': 24, '168h': 168 } as const;
export type TransferWindow = keyof typeof TRANSFER_WINDOWS;

/** Hours back over which sends are judged, and the credits that this costs. */
export const SEND_WINDOWS = {
  '1h': { hours: 1, credits: 5 },
  '24h': { hours: 24, credits: 8 },
  '7d': { hours: 168, credits: 12 },
} as const;
export type SendWindow = keyof typeof SEND_WINDOWS;

const mint = addressParameter('invalid_mint', 'Token address.');

function transferPage<C>(decode: (text: string) => C | undefined) {
  return {
    window: parameter<TransferWindow | undefined>({
      schema: Type.Enum(['6h', '24h', '168h'], {
        type: 'string',
        description:
          'How far back one call looks, from now or from the cursor. Left out: as far as it takes to fill the page, up to 7 days.',
      }),
      parse: (text) => (Object.hasOwn(TRANSFER_WINDOWS, text) ? (text as TransferWindow) : undefined),
      absent: undefined,
      error: 'invalid_window',
      expected: 'must be one of 6h, 24h, 168h',
    }),
    limit: limitParameter(50, 500),
    cursor: parameter<C | undefined>({
      schema: Type.String({ description: 'next_cursor of the previous page.' }),
      parse: decode,
      absent: undefined,
      error: 'invalid_cursor',
      expected: 'must be the next_cursor of a page of this list',
    }),
  };
}

const rowList = { price: { rule: ROW_RULE, compute: (query: { limit: number }) => rowPrice(query.limit) } } as const;

const PAGING =
  'Newest first. Follow next_cursor until it is absent, also past pages that are not full: a page looks back over its window only. Burns are not listed.';

export const getFundingClusters = defineRoute({
  path: '/tokens/{mint}/funding-clusters',
  tag: 'tokens',
  name: 'getFundingClusters',
  summary: 'Early buyers that the same wallet funded',
  description:
    'By the first known funding of each of the first 100 buyers, one step back. Clients of an exchange or another busy funder belong together only when they were paid alike within minutes. Evidence of one hand, not proof of it.',
  access: 'key',
  params: { mint },
  price: flatPrice(10),
  response: FundingClusters,
  absent: 'token_not_found',
  examples: { clusters: fundingClustersExample },
});

export const listTransfers = defineRoute({
  ...rowList,
  path: '/tokens/{mint}/transfers',
  tag: 'tokens',
  name: 'listTransfers',
  summary: 'Sends of a token',
  description: PAGING,
  access: 'key',
  params: { mint },
  query: transferPage(decodeTransferCursor),
  pricedBy: ['limit'],
  response: TransferPage,
  absent: 'token_not_found',
  examples: { transfers: { data: [tokenTransferExample], next_cursor: 'x1-5t4tf5-1s-9-uaqi0f' } },
});

export const listWalletTransfers = defineRoute({
  ...rowList,
  path: '/wallets/{trader}/token-transfers',
  tag: 'tokens',
  name: 'listWalletTransfers',
  summary: 'Tokens that a wallet sent and got',
  description: PAGING,
  access: 'key',
  params: { trader: addressParameter('invalid_wallet', 'Wallet.') },
  query: {
    direction: choiceParameter(['all', 'in', 'out'], 'all', 'invalid_param', 'What it got, what it sent, or both.'),
    ...transferPage(decodeWalletTransferCursor),
  },
  pricedBy: ['limit'],
  response: Page(TokenTransfer),
  absent: 'wallet_not_found',
  examples: { transfers: { data: [tokenTransferExample] } },
});

export const getSends = defineRoute({
  path: '/tokens/{mint}/sends',
  tag: 'tokens',
  name: 'getSends',
  summary: 'How sends spread a token: along chains, into made holders, to holders',
  description:
    'Of sends between people; curves, pools, protocol wallets, exchanges and other markets are left out. Evidence, not proof: docs/research.md tells the rules.',
  access: 'key',
  params: { mint },
  query: { w: choiceParameter(['1h', '24h', '7d'], '24h', 'invalid_window', 'How far back to look.') },
  price: { rule: '5 (1h), 8 (24h), 12 (7d)', compute: ({ w }) => SEND_WINDOWS[w].credits },
  pricedBy: ['w'],
  response: Sends,
  absent: 'token_not_found',
  examples: { made: sendsExample, quiet: quietSendsExample },
});

export const MOVEMENTS_ROUTES = [getFundingClusters, listTransfers, listWalletTransfers, getSends] as const;
