import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { renderEnvExample } from '../tools/env-example.ts';
import { InvalidConfig, readConfig } from './config.ts';

describe('readConfig', () => {
  it('needs nothing: the defaults run a simulated chain on loopback', () => {
    expect(readConfig({})).toMatchObject({
      port: 8080,
      host: '127.0.0.1',
      dataDir: './data',
      source: 'simulator',
      enforce: false,
    });
  });

  it('reports every fault at once and never shows a value', () => {
    const env = {
      MINTSCOPE_PORT: 'seventy',
      MINTSCOPE_SOURCE: 'carrier-pigeon',
      YELLOWSTONE_URL: 'ftp://secret@host',
      MINTSCOPE_ENFORCE: 'maybe',
    };
    const error = catchFault(() => readConfig(env));
    expect(error.faults.map((fault) => fault.variable).sort()).toEqual(Object.keys(env).sort());
    expect(error.message).not.toContain('secret');
    expect(error.message).not.toContain('pigeon');
  });

  it('wants URLs that can be used, and shows none of them', () => {
    const env = {
      SOLANA_RPC_URL: 'https://me:hunter2@:8899',
      YELLOWSTONE_URL: 'http://[hunter2',
      CLICKHOUSE_URL: 'http://host:99999/hunter2',
      DATABASE_URL: 'file://hunter2/accounts.db',
    };
    const error = catchFault(() => readConfig(env));
    expect(error.faults.map((fault) => fault.variable).sort()).toEqual(Object.keys(env).sort());
    expect(error.message).not.toContain('hunter2');
    const usable = { SOLANA_RPC_URL: 'https://me:p@host/?key=1', DATABASE_URL: 'file:///tmp/accounts.db' };
    expect(readConfig(usable)).toMatchObject({ solanaRpcUrl: usable.SOLANA_RPC_URL });
  });

  it('takes an address for closes of shares that says where the share stands', () => {
    const usable = [
      'off',
      'https://prices.example/eod/{ticker}?key=1',
      'http://me:p@127.0.0.1:9000/{ticker}/{ticker}',
      'https://prices.example/?symbol={ticker}',
    ];
    for (const text of usable) expect(readConfig({ MINTSCOPE_EQUITY_CLOSES: text }).equityCloses).toBe(text);
    expect(readConfig({}).equityCloses).toBeUndefined();
    const unusable = [
      'on',
      'https://prices.example/AAPL',
      'https://prices.example/{TICKER}',
      '{ticker}',
      'ftp://a/{ticker}',
    ];
    for (const text of [...unusable, 'https://a b/{ticker}', 'https://:x/{ticker}?key=hunter2']) {
      const error = catchFault(() => readConfig({ MINTSCOPE_EQUITY_CLOSES: text }));
      expect(error.message).toContain('MINTSCOPE_EQUITY_CLOSES: must be off, or a URL with {ticker} in it');
      expect(error.message).not.toContain('hunter2');
    }
  });

  it('takes a public URL that browsers keep session cookies for, and nothing more of it than an origin', () => {
    const usable = [
      'https://mintscope.example',
      'https://mintscope.example:8443/',
      'http://localhost:9000',
      'http://[::1]:80',
    ];
    for (const url of usable) expect(readConfig({ MINTSCOPE_PUBLIC_URL: url }).publicUrl).toBe(url);
    const unusable = [
      'http://mintscope.example',
      'http://10.0.0.7:8080',
      'https://mintscope.example/app',
      'https://mintscope.example/?a',
      'https://me@mintscope.example',
      'https://',
      'mintscope.example',
    ];
    for (const url of unusable) {
      expect([url, catchFault(() => readConfig({ MINTSCOPE_PUBLIC_URL: url })).faults]).toEqual([
        url,
        [expect.objectContaining({ variable: 'MINTSCOPE_PUBLIC_URL' })],
      ]);
    }
  });

  it('takes accounts in a file or in a Postgres database that is named, and shows no password of one that is not', () => {
    const usable = [
      'file:///var/lib/accounts.db',
      'postgres://me:hunter2@127.0.0.1:5432/mintscope',
      'postgresql://me@db.example/mintscope?sslmode=verify-full&sslrootcert=/etc/ca.pem',
      'postgres://me@localhost/mintscope?host=/run/postgresql',
    ];
    for (const url of usable) expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url);
    const unusable = ['postgres://me:hunter2@host', 'postgres://me:hunter2@host/', 'postgres://me:hunter2@host/a/b'];
    const odd = [
      'postgres://me:hunter2@host:port/a',
      'mysql://me:hunter2@host/a',
      'postgres:hunter2',
      'postgres://hunter 2@h/a',
    ];
    for (const url of [...unusable, ...odd]) {
      const fault = catchFault(() => readConfig({ DATABASE_URL: url }));
      expect({ url, variables: fault.faults.map(({ variable }) => variable) }).toEqual({
        url,
        variables: ['DATABASE_URL'],
      });
      expect(fault.message).not.toContain('hunter');
    }
  });

  it('takes numbers whole or not at all', () => {
    for (const port of ['80.5', '80x', '-1', '1e9', '0x']) {
      expect({ port, fault: catchFault(() => readConfig({ MINTSCOPE_PORT: port })).faults[0]?.variable }).toEqual({
        port,
        fault: 'MINTSCOPE_PORT',
      });
    }
  });

  it('takes an empty variable as unset', () => {
    expect(readConfig({ MINTSCOPE_PORT: '', SOLANA_RPC_URL: '' })).toMatchObject({
      port: 8080,
      solanaRpcUrl: undefined,
    });
  });

  it('wants the address of the node that a source reads from', () => {
    expect(catchFault(() => readConfig({ MINTSCOPE_SOURCE: 'rpc' })).faults[0]?.variable).toBe('SOLANA_RPC_URL');
    expect(catchFault(() => readConfig({ MINTSCOPE_SOURCE: 'yellowstone' })).faults[0]?.variable).toBe(
      'YELLOWSTONE_URL',
    );
    expect(readConfig({ MINTSCOPE_SOURCE: 'replay:./blocks' }).source).toBe('replay:./blocks');
  });

  it('wants the address of the node that wallets are looked up at', () => {
    const lookups = { MINTSCOPE_FUNDING_LOOKUPS: 'true' };
    expect(catchFault(() => readConfig(lookups)).faults).toMatchObject([{ variable: 'SOLANA_RPC_URL' }]);
    expect(readConfig({ ...lookups, SOLANA_RPC_URL: 'http://127.0.0.1:8899' }).fundingLookups).toBe(true);
    expect(readConfig({}).fundingLookups).toBe(false);
  });

  it('refuses a development key that strangers could use', () => {
    const env = { MINTSCOPE_DEV_KEY: 'local-development' };
    expect(readConfig(env).devKey).toBe('local-development');
    expect(catchFault(() => readConfig({ ...env, MINTSCOPE_HOST: '0.0.0.0' })).faults[0]?.variable).toBe(
      'MINTSCOPE_DEV_KEY',
    );
  });

  it('is what .env.example says', () => {
    expect(readFileSync(new URL('../.env.example', import.meta.url), 'utf8')).toBe(renderEnvExample());
  });
});

function catchFault(run: () => unknown): InvalidConfig {
  try {
    run();
  } catch (error) {
    if (error instanceof InvalidConfig) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}
