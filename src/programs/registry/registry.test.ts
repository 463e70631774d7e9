import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Address } from '../../chain/address.ts';
import { WSOL_MINT } from '../../chain/address.ts';
import { parseAddress } from '../../chain/keys/base58.ts';
import { BUYBACK_RECIPIENTS, FEE_RECIPIENTS, MAYHEM_FEE_RECIPIENTS } from '../../simulator/scenery.ts';
import { MAYHEM_SOL_VAULT } from '../pump/ids.ts';
import {
  EQUITIES,
  equity,
  exchangeWallet,
  feeWallet,
  findProgram,
  institution,
  isProtocolActor,
  QUOTE_MINTS,
  quoteMint,
  routerName,
  TIP_PROVIDERS,
  tipProvider,
} from './index.ts';

const folder = new URL('.', import.meta.url);
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const NOBODY = '4WrjfJXMSJnWgxFhzCvNRtTVLAfzXL3Zmf4413aqpump' as Address;

describe('registry files', () => {
  test.each(files)('%s says where it comes from, and holds canonical addresses and known confidences', (name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    const { about } = JSON.parse(text) as { about: string };
    expect(about).toMatch(/Sources?: .*Confidence: /);
    const addresses = [...text.matchAll(/"(?:address|mint)": "(.*)"/g)].map((match) => match[1]!);
    expect(addresses.length).toBeGreaterThan(2);
    expect(addresses.filter((address) => parseAddress(address) !== address)).toEqual([]);
    expect(new Set(addresses).size).toBe(addresses.length);
    const confidences = [...text.matchAll(/"confidence": "(.*)"/g)].map((match) => match[1]!);
    expect(confidences).toHaveLength(addresses.length);
    for (const confidence of confidences) expect(['high', 'medium', 'low']).toContain(confidence);
  });
});

describe('look-ups', () => {
  test('tip accounts lead to their service', () => {
    expect(tipProvider('96gYZGLnJYVFmbjzopPSU6QiEV5fGqZNyN9nmNhvrZU5' as Address)).toBe('Jito');
    expect(tipProvider(NOBODY)).toBeUndefined();
    const jito = TIP_PROVIDERS.find(({ provider }) => provider === 'Jito');
    expect([jito?.accounts.length, jito?.minimumTipLamports]).toEqual([8, 1_000]);
    expect(tipProvider('7ks326H4LbMVaUC8nW5FpC5EoAf5eK5pf4Dsx4HDQLpq' as Address)).toBe('bloXroute');
    expect(tipProvider('7KKNPiFyi3b3VSM81sNEwHPxUGVZJHCTucqoh7rAABw4' as Address)).toBe('Axiom');
  });

  test('routers have names, and doubtful ones have none', () => {
    expect(routerName('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4' as Address)).toBe('Jupiter');
    expect(routerName('BSfD6SHZigAfDWSjzD5Q41jw8LmKwtmjskPH9XW1mrRW' as Address)).toBe('Photon');
    const doubtful = '99vQwtBwYtrqqD9YSXbdum3KBdxPAVxYTaQ3cfnJSrN2' as Address;
    expect([findProgram(doubtful), routerName(doubtful)]).toEqual([undefined, undefined]);
    expect(routerName('whirLbMiicVdio4qvUfM5KAg6Ct8VwpYzGff3uctyCc' as Address)).toBeUndefined();
    expect(routerName(NOBODY)).toBeUndefined();
  });

  test('quotes and shares are told by their mint', () => {
    expect(quoteMint(WSOL_MINT)).toMatchObject({ symbol: 'SOL', decimals: 9, class: 'native' });
    expect(quoteMint('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address)).toMatchObject({ decimals: 6 });
    expect(equity('XsCPL9dNWBMvFtTmwcCA5v3xWPSMEBCszbQdiLLq6aN' as Address)).toMatchObject({
      symbol: 'GOOGLx',
      decimals: 8,
    });
    const quotes = new Set<string>(QUOTE_MINTS.map(({ mint }) => mint));
    expect(EQUITIES.filter(({ mint }) => quotes.has(mint))).toEqual([]);
  });

  test('the agent of mayhem coins and those who get the launchpad’s fees are the protocol, and nobody else is', () => {
    expect(isProtocolActor(MAYHEM_SOL_VAULT)).toBe(true);
    for (const wallet of [...FEE_RECIPIENTS, ...MAYHEM_FEE_RECIPIENTS, ...BUYBACK_RECIPIENTS]) {
      expect([wallet, isProtocolActor(wallet)]).toEqual([wallet, true]);
    }
    expect(isProtocolActor(NOBODY)).toBe(false);
  });

  test('nothing doubtful is told as a fact', () => {
    let doubtful = 0;
    for (const name of files) {
      const text = readFileSync(new URL(name, folder), 'utf8');
      for (const [row] of text.matchAll(/\{[^{}]*"confidence": "low"[^{}]*\}/g)) {
        const { address, mint } = JSON.parse(row) as { address?: Address; mint?: Address };
        const known = address ?? mint!;
        for (const find of [tipProvider, findProgram, quoteMint, equity, exchangeWallet, feeWallet, institution]) {
          expect(find(known)).toBeUndefined();
        }
        expect(isProtocolActor(known)).toBe(false);
        doubtful++;
      }
    }
    expect(doubtful).toBeGreaterThan(10);
  });

  test('wallets without attribution have none', () => {
    expect([exchangeWallet(NOBODY), feeWallet(NOBODY), institution(NOBODY)]).toEqual([undefined, undefined, undefined]);
    // A mint, which a public list calls a wallet of an exchange.
    expect(exchangeWallet('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN' as Address)).toBeUndefined();
    expect(exchangeWallet('6iVBAsquJRaLsXbojb18kqTW1d5iVLspVjCtsReZBKhY' as Address)?.exchange).toBe('AscendEX');
  });
});
