import { describe, expect, it } from 'vitest';
import { fixturePath, fixtureText } from '../../../test/support/fixtures.ts';
import { recordingJournal } from '../../../test/support/recording-journal.ts';
import { failingJournal } from '../../kernel/journal.ts';
import { encodeAddress } from '../keys/base58.ts';
import { MalformedWire } from '../malformed-wire.ts';
import { readClusterNodes, readVoteAccounts } from './cluster-answers.ts';
import { parseRpcJson } from './rpc-numbers.ts';

const key = (number: number) => encodeAddress(new Uint8Array(32).fill(number));
const votes = (extra: object = {}) => ({
  ...{ nodePubkey: key(1), votePubkey: key(2), activatedStake: 5, commission: 7, lastVote: 1 },
  ...extra,
});

describe('cluster nodes', () => {
  it.each([
    ['a name', 'AgavePaladin', 4],
    ['the number of one that the node has no name for', 'Unknown(86)', 86],
    ['a number', 3, 3],
    ['digits', '8', 8],
    ['a name that nobody knows', 'SomebodysClient', undefined],
    ['a number that is too large', 'Unknown(70000)', undefined],
    ['nothing', null, undefined],
    ['a list', [3], undefined],
  ])('tell their client by %s', (_what, clientId, expected) => {
    const nodes = readClusterNodes([{ pubkey: key(1), gossip: null, version: null, clientId }], failingJournal);
    expect(nodes.get(key(1))).toEqual(expected === undefined ? {} : { clientId: expected });
  });

  it.each([
    ['198.51.100.7:8001', '198.51.100.7'],
    ['[2001:db8::1]:8001', '2001:db8::1'],
    ['[::ffff:198.51.100.7]:8001', '198.51.100.7'],
    ['not an address', undefined],
    ['999.1.1.1:8001', undefined],
    [7, undefined],
  ])('tell their address: %s', (gossip, ip) => {
    expect(readClusterNodes([{ pubkey: key(1), gossip }], failingJournal).get(key(1))).toEqual(ip ? { ip } : {});
  });

  it('tell versions in plain characters alone', () => {
    const versionOf = (version: unknown) =>
      readClusterNodes([{ pubkey: key(1), version }], failingJournal).get(key(1))!.version;
    expect(versionOf('4.1.0-rc.1')).toBe('4.1.0-rc.1');
    expect(versionOf('0.913.40201')).toBe('0.913.40201');
    for (const odd of ['<b>4</b>', '4.1\u0000', '4.1\u202e', '', 'x'.repeat(41), 4, null])
      expect(versionOf(odd)).toBeUndefined();
  });

  it('are noted once and left out where they have no identity', () => {
    const journal = recordingJournal();
    const rows = [
      { pubkey: key(1) },
      { pubkey: 'x' },
      null,
      { pubkey: key(2) },
      { pubkey: key(3) },
      { pubkey: key(4) },
    ];
    expect(readClusterNodes(rows, journal).size).toBe(4);
    expect(journal.notes).toMatchObject([{ code: 'malformed_validator', detail: { malformed: 2, rows: 6 } }]);
  });

  it('are refused as a whole when most of them make no sense, when they are too many, and when they are no list', () => {
    const journal = recordingJournal();
    expect(() => readClusterNodes([{ pubkey: key(1) }, {}, {}], journal)).toThrow(MalformedWire);
    expect(() => readClusterNodes(new Array(50_001).fill({ pubkey: key(1) }), journal)).toThrow(MalformedWire);
    for (const odd of [null, {}, 'nodes', 3]) expect(() => readClusterNodes(odd, journal)).toThrow(MalformedWire);
  });
});

describe('vote accounts', () => {
  it('tell stake exactly, beyond what a double holds', () => {
    const json = parseRpcJson(
      JSON.stringify({ current: [votes({ activatedStake: 0 })], delinquent: [] }).replace(':0', ':15612243017405769'),
    );
    expect(readVoteAccounts(json, failingJournal).get(key(1))!.stake).toBe(15_612_243_017_405_769n);
  });

  it('of one identity count together, under the largest of them', () => {
    const json = {
      current: [votes(), votes({ votePubkey: key(3), activatedStake: 9, commission: 100 })],
      delinquent: [votes({ votePubkey: key(4), activatedStake: 8 })],
    };
    const expected = { vote: key(3), stake: 22n, commission: 100, isDelinquent: false };
    expect(readVoteAccounts(json, failingJournal).get(key(1))).toEqual(expected);
  });

  it('tell a commission in basis points where there is no other', () => {
    const row = votes({ commission: undefined, inflationRewardsCommissionBps: 550 });
    expect(readVoteAccounts({ current: [], delinquent: [row] }, failingJournal).get(key(1))).toEqual({
      ...{ vote: key(2), stake: 5n, commission: 6, isDelinquent: true },
    });
  });

  it.each([
    ['no stake', { activatedStake: null }],
    ['a stake below none', { activatedStake: -1 }],
    ['a stake beyond a u64', { activatedStake: '99999999999999999999' }],
    ['a commission of more than all', { commission: 101 }],
    ['no commission', { commission: null }],
    ['no vote account', { votePubkey: 'x' }],
  ])('are left out with %s', (_what, odd) => {
    const journal = recordingJournal();
    const json = { current: [votes({ nodePubkey: key(9) }), votes(odd)], delinquent: [] };
    expect([...readVoteAccounts(json, journal).keys()]).toEqual([key(9)]);
    expect(journal.notes).toHaveLength(1);
  });

  it.each([[null], [[]], [{ current: [] }], [{ current: 1, delinquent: [] }]])('are refused: %j', (json) => {
    expect(() => readVoteAccounts(json, failingJournal)).toThrow(MalformedWire);
  });

  it.skipIf(fixturePath('validators/get_vote_accounts.json') === undefined)('of a real node are read', () => {
    const { result } = parseRpcJson(fixtureText('validators/get_vote_accounts.json')) as { result: unknown };
    const voters = readVoteAccounts(result, failingJournal);
    expect(voters.size).toBeGreaterThan(200);
    expect([...voters.values()].filter(({ isDelinquent }) => !isDelinquent).length).toBeGreaterThan(5);
  });
});
