import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../config.ts';
import { silentLogger } from '../kernel/log.ts';
import { chainFolder, existingStoreFolder, storeFolder, tellOfStoreBefore } from './store-folder.ts';

const REAL = { MINTSCOPE_SOURCE: 'rpc', SOLANA_RPC_URL: 'http://127.0.0.1:8899' };

describe('folders of stores', () => {
  it('are two for the simulator and a real chain, unless one is named', () => {
    expect(storeFolder(readConfig({}))).toBe('data/simulated');
    expect(storeFolder(readConfig(REAL))).toBe('./data');
    expect(storeFolder(readConfig({ MINTSCOPE_DATA_DIR: '/mine' }))).toBe('/mine');
    expect(storeFolder(readConfig({ ...REAL, MINTSCOPE_DATA_DIR: '/mine' }))).toBe('/mine');
  });

  it('of what is read from a node are a real one, whatever the source is', () => {
    expect(chainFolder(readConfig({}))).toBe('./data');
  });

  let dir = '';
  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'mintscope-folders-'));
  });
  afterEach(() => rm(dir, { recursive: true, force: true }));
  /** As if the default folder were there. */
  const config = (env: Record<string, string> = {}) => ({ ...readConfig(env), dataDir: dir });
  const make = (...folder: string[]) => mkdir(join(dir, ...folder, 'clickhouse'), { recursive: true });

  it('that are there are found without a source, and asked about when there are two', async () => {
    expect(existingStoreFolder(config())).toBe(join(dir, 'simulated'));
    await make();
    expect(existingStoreFolder(config())).toBe(dir);
    await make('simulated');
    expect(() => existingStoreFolder(config())).toThrow('say which is meant');
    expect(existingStoreFolder(config(REAL))).toBe(dir);
    expect(existingStoreFolder(config({ MINTSCOPE_SOURCE: 'simulator' }))).toBe(join(dir, 'simulated'));
  });

  it('of before are told of when the simulator leaves them', async () => {
    const told: string[] = [];
    const log = { ...silentLogger, warn: (_: object, text: string) => told.push(text) };
    tellOfStoreBefore(config(), log);
    expect(told).toEqual([]);
    await make();
    tellOfStoreBefore(config(REAL), log);
    expect(told).toEqual([]);
    tellOfStoreBefore(config(), log);
    expect(told).toEqual([
      expect.stringContaining(`move clickhouse and outbox from there to ${join(dir, 'simulated')}`),
    ]);
    await make('simulated');
    tellOfStoreBefore(config(), log);
    expect(told).toHaveLength(1);
  });
});
