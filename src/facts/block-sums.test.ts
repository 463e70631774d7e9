import { describe, expect, it } from 'vitest';
import {
  buildBlock,
  customError,
  lamportTransfer,
  someAddress,
  type TransactionSpec,
  venueCall,
} from '../../test/support/transaction-builder.ts';
import { curveBuy, tradeEvent } from '../../test/support/venue-trades.ts';
import type { Address } from '../chain/address.ts';
import { ATA_PROGRAM, SYSTEM_PROGRAM } from '../chain/well-known.ts';
import { failingJournal } from '../kernel/journal.ts';
import { TIP_PROVIDERS } from '../programs/registry/index.ts';
import { deriveFacts } from './derive.ts';
import { DEFAULT_FACT_RULES } from './fact-rules.ts';

const NOTABLE = DEFAULT_FACT_RULES.notableFundingLamports;
const funder = someAddress();
const wallet = someAddress();
const [tipA, tipB] = TIP_PROVIDERS[0]!.accounts.map((account) => account.address);

function derive(...transactions: TransactionSpec[]) {
  return deriveFacts(buildBlock(transactions), failingJournal);
}

describe('a funding', () => {
  const born = { account: wallet, pre: 0n, post: 2_000_000n };

  it('is any transfer that made the wallet', () => {
    const calls = [lamportTransfer(funder, wallet, 2_000_000n)];
    expect(derive({ signers: [funder], calls, lamports: [born] }).fundings).toMatchObject([
      { wallet, funder, amount: 2_000_000n, createdAccount: true, ixIndex: 0 },
    ]);
  });

  it('is a transfer to a wallet that exists from the threshold on', () => {
    const calls = [NOTABLE - 1n, NOTABLE].map((amount) => lamportTransfer(funder, wallet, amount));
    expect(derive({ signers: [funder], calls }).fundings).toMatchObject([{ amount: NOTABLE, createdAccount: false }]);
  });

  it('is told from another threshold on where one is set, and where it made the wallet whatever it is', () => {
    const calls = [5n, 6n, NOTABLE].map((amount) => lamportTransfer(funder, wallet, amount));
    const told = (spec: TransactionSpec) =>
      deriveFacts(buildBlock([spec]), failingJournal, { notableFundingLamports: 6n }).fundings.map(
        ({ amount }) => amount,
      );
    expect(told({ signers: [funder], calls })).toEqual([6n, NOTABLE]);
    expect(told({ signers: [funder], calls: calls.slice(0, 1), lamports: [born] })).toEqual([5n]);
  });

  it('made the wallet only once: what comes behind it in the transaction is notable or nothing', () => {
    const calls = [5n, 6n, NOTABLE].map((amount) => lamportTransfer(funder, wallet, amount));
    expect(derive({ signers: [funder], calls, lamports: [born] }).fundings).toMatchObject([
      { amount: 5n, createdAccount: true },
      { amount: NOTABLE, createdAccount: false },
    ]);
  });

  it('may come through any program’s hands, but not from a venue or a helper paying its own accounts', () => {
    const transfer = lamportTransfer(funder, wallet, 2_000_000n);
    const of = (program: typeof funder) =>
      derive({ signers: [funder], calls: [{ program, calls: [transfer] }], lamports: [born] }).fundings;
    expect(of(someAddress())).toHaveLength(1);
    expect(of(ATA_PROGRAM)).toEqual([]);
    const trade = venueCall('pump', 'sell', { amount: 1n, minSolOutput: 1n }, {}, [transfer]);
    expect(derive({ signers: [funder], calls: [trade], lamports: [born] }).fundings).toEqual([]);
  });

  it('is none to an account that a program takes', () => {
    const assign = {
      program: SYSTEM_PROGRAM,
      accounts: [wallet],
      data: Uint8Array.of(1, 0, 0, 0, ...new Array(32).fill(9)),
    };
    const calls = [lamportTransfer(funder, wallet, 2_000_000n), assign];
    expect(derive({ signers: [funder], calls, lamports: [born] }).fundings).toEqual([]);
  });

  it('is none to a token account, to a tip account, to oneself, or to a purse that is empty again', () => {
    const calls = [lamportTransfer(funder, wallet, NOTABLE)];
    const token = { account: wallet, mint: someAddress(), owner: funder, pre: 0n, post: 1n };
    expect(derive({ signers: [funder], calls, tokens: [token] }).fundings).toEqual([]);
    expect(derive({ signers: [funder], calls, lamports: [{ account: wallet, pre: 0n, post: 0n }] }).fundings).toEqual(
      [],
    );
    const others = [tipA!, funder].map((to) => lamportTransfer(funder, to, NOTABLE));
    expect(derive({ signers: [funder], calls: others }).fundings).toEqual([]);
  });
});

describe('the tip of a swap', () => {
  it('is the sum of the transaction’s tips, with the receiver of the largest', () => {
    const mint = someAddress();
    const trade = curveBuy(tradeEvent({ mint, user: funder }));
    const calls = [lamportTransfer(funder, tipA!, 400n), lamportTransfer(funder, tipB!, 900n), trade];
    expect(derive({ signers: [funder], calls }).swaps).toMatchObject([{ tip: 1_300n, tipWallet: tipB }]);
  });

  it('is none where nothing was transferred, of a swap and of what reverted', () => {
    const mint = someAddress();
    const trade = curveBuy(tradeEvent({ mint, user: funder }));
    const nothing = lamportTransfer(funder, tipA!, 0n);
    const { swaps } = derive({ signers: [funder], calls: [nothing, trade] });
    expect(swaps).toMatchObject([{ tip: 0n, tipWallet: undefined }]);
    const lamports = [{ account: funder, pre: 5_000n, post: 0n }];
    const reverted = derive({ signers: [funder], calls: [nothing, trade], lamports, error: customError(1, 6002) });
    expect(reverted.attempts).toMatchObject([{ tip: 0n, tipWallet: undefined, tipPayable: 0n }]);
  });
});

describe('the economics of a block', () => {
  it('count every transaction’s fee and tips once', () => {
    const { economics } = derive(
      {
        signers: [funder],
        fee: 12_000n,
        calls: [lamportTransfer(funder, tipA!, 500n), lamportTransfer(funder, tipA!, 300n)],
      },
      { signers: [funder, wallet], fee: 10_000n, calls: [lamportTransfer(funder, tipB!, 900n)] },
    );
    expect(economics).toMatchObject({ transactions: 2, failed: 0, fees: 22_000n, priorityFees: 7_000n, tips: 1_700n });
    const expected = [
      { tipWallet: tipA, count: 1, repeated: 0, lamports: 800n, paid: [800n] },
      { tipWallet: tipB, count: 1, repeated: 0, lamports: 900n, paid: [900n] },
    ];
    expect(economics.tipsByWallet).toEqual(expected.sort((a, b) => (a.tipWallet! < b.tipWallet! ? -1 : 1)));
  });

  it('count no tip of nothing, beside one that was paid either', () => {
    const [nothing, tip] = [lamportTransfer(funder, tipA!, 0n), lamportTransfer(funder, tipB!, 900n)];
    const paid = [{ tipWallet: tipB, count: 1, repeated: 0, lamports: 900n, paid: [900n] }];
    expect(derive({ signers: [funder], calls: [nothing, tip] }).economics.tipsByWallet).toEqual(paid);
    expect(derive({ signers: [funder], calls: [nothing] }).economics.tipsByWallet).toEqual([]);
  });

  it('tell which tips a provider got beside another of the same transaction', () => {
    const [jito, bloxroute] = ['Jito', 'bloXroute'].map((name) => {
      return TIP_PROVIDERS.find(({ provider }) => provider === name)!.accounts.map(({ address }) => address);
    });
    const tip = (to: Address) => lamportTransfer(funder, to, 100n);
    const both = [jito![0]!, bloxroute![0]!, jito![1]!, jito![0]!].map(tip);
    const { economics } = derive({ signers: [funder], calls: both }, { signers: [funder], calls: [tip(jito![1]!)] });
    const found = new Map(economics.tipsByWallet.map(({ tipWallet, ...sums }) => [tipWallet, sums]));
    expect(found.get(jito![0]!)).toEqual({ count: 1, repeated: 0, lamports: 200n, paid: [300n] });
    expect(found.get(jito![1]!)).toEqual({ count: 2, repeated: 1, lamports: 200n, paid: [100n] });
    expect(found.get(bloxroute![0]!)).toEqual({ count: 1, repeated: 0, lamports: 100n, paid: [100n] });
  });
});
