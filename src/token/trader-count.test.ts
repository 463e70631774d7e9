import { describe, expect, it } from 'vitest';
import { address } from '../../test/support/token-world-rows.ts';
import type { Address } from '../chain/address.ts';
import { FEW_WALLETS, NO_TRADERS, TraderCount } from './trader-count.ts';

const ANNA = address(21);
const BERT = address(22);
const CARL = address(23);
const USDC = address(31);
const SLOT = 400_000_000;

const opened = (trader: Address, quote_mint: Address | '' = '', slot = SLOT) => ({ trader, quote_mint, slot });
const wallet = (number: number) => `wallet${number}` as Address;

describe('the wallets that traded a token', () => {
  it('count once whatever quotes they trade it in', () => {
    const traders = new TraderCount({ count: 2, quotes: 1, quote: '', wallets: [ANNA, BERT] });
    expect(traders.add([opened(ANNA, USDC), opened(CARL, USDC), opened(CARL), opened(BERT, USDC)])).toBe(true);
    expect(traders.count).toBe(3);
  });

  it('are none before anybody did', () => {
    const traders = new TraderCount(NO_TRADERS);
    traders.add([opened(ANNA, USDC), opened(BERT), opened(ANNA)]);
    expect(traders.count).toBe(2);
  });

  it('are not held when there are many, in one quote', () => {
    const traders = new TraderCount(NO_TRADERS);
    for (let number = 0; number <= FEW_WALLETS; number += 1) traders.add([opened(wallet(number))]);
    expect([traders.count, traders.bytes]).toEqual([FEW_WALLETS + 1, 0]);
  });

  it('are never fewer than there are where they are not held, and read again once the store knows the second quote', () => {
    const traders = new TraderCount({ count: 5_000, quotes: 1, quote: '', wallets: undefined });
    expect(traders.add([opened(ANNA, USDC), opened(ANNA), opened(BERT)])).toBe(true);
    expect(traders.count).toBe(5_002);
    expect(traders.add([opened(CARL, '', SLOT + 1_000)])).toBe(false);
  });

  it('stay where they are when there are too many to be held', () => {
    const traders = new TraderCount({ count: 1_000_000, quotes: 2, quote: '', wallets: undefined });
    expect(traders.add([opened(ANNA, USDC), opened(ANNA, '', SLOT + 1_000)])).toBe(true);
    expect(traders.count).toBe(1_000_001);
  });
});
