import { jsonBody, timeText } from '../../books/json-text.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ProviderTips } from '../../contract/provider-tips.ts';
import { stampBody } from '../../contract/stamp.ts';
import type { Written } from '../../contract/written.ts';
import type { Feed } from '../../feed/feed.ts';
import type { UnbrokenReader } from '../../token/history.ts';
import { byProvider } from '../../token/tip-providers.ts';
import { TIP_WINDOWS, type TipWindowName } from './contract-limits.ts';
import type { TipRows, TipWindow } from './tip-reads.ts';

export interface TipDeps {
  readonly feed: Feed;
  readonly readTips: (mark: number, window: TipWindow) => Promise<TipRows | undefined>;
  readonly unbroken: UnbrokenReader;
}

/**
 * Tips of a window by provider, out of the store, as it stands at one slot.
 *
 * @throws {ApiError} `warming_up` while there is no block.
 */
export async function tipsBody({ feed, readTips, unbroken }: TipDeps, window: TipWindowName): Promise<Buffer> {
  // Before the rows: a hole that is filled while they are read is not in all of them.
  const begun = (await unbroken())?.since ?? 0;
  const mark = feed.committedSlot;
  const rows = await readTips(mark, TIP_WINDOWS[window]);
  if (rows === undefined) throw new ApiError('warming_up', { message: 'there is no block yet' });
  const providers = byProvider(rows.wallets).map(
    ({ provider, count, lamports }): Written<ProviderTips> => ({
      ...{ provider, count: Number(count), lamports: lamports.toString() },
    }),
  );
  return stampBody(jsonBody({ window, providers, since: begun > rows.from ? timeText(begun) : undefined }), mark);
}
