import { describe, expect, it } from 'vitest';
import { validatorOf } from '../../test/support/leader-schedules.ts';
import { createKnownValidators, renewed } from './known-validators.ts';

const [ONE, TWO] = [validatorOf(1), validatorOf(2)];
const bare = { stake: 0n, commission: 0, isDelinquent: false };

describe('what is known of validators', () => {
  it('comes together, whatever is told first', () => {
    const known = createKnownValidators();
    known.name(new Map([[ONE.identity, 'One']]));
    known.hear(new Map([[ONE.identity, { version: '4.0.3', ip: '198.18.0.1' }]]));
    expect(known.listed([])).toEqual([]);
    expect(known.of(TWO.identity)).toEqual({ identity: TWO.identity, ...bare });
    const voter = { identity: ONE.identity, vote: TWO.identity, stake: 5n, commission: 3, isDelinquent: true };
    known.see(new Map([[ONE.identity, voter]]));
    const whole = { ...voter, name: 'One', version: '4.0.3', gossipIp: '198.18.0.1' };
    expect(known.listed([])).toEqual([whole]);
    known.hear(new Map([[ONE.identity, { clientId: 1 }]]));
    known.name(new Map());
    expect(known.of(ONE.identity)).toEqual({ ...whole, clientId: 1 });
  });

  it('is what the store has where no node has told anything else', () => {
    const known = createKnownValidators();
    const { identity } = ONE;
    known.see(new Map([[identity, { identity, vote: TWO.identity, stake: 9n, commission: 1, isDelinquent: false }]]));
    known.recall([{ ...ONE, name: 'One', version: '3.0.0', sharesTips: true }, TWO]);
    const told = { ...ONE, vote: TWO.identity, stake: 9n, commission: 1, isDelinquent: false };
    expect(known.listed([TWO.identity])).toEqual([TWO, { ...told, name: 'One', version: '3.0.0', sharesTips: true }]);
  });

  it('is kept of who was admitted, though nobody names them any more, until they are forgotten', () => {
    const known = createKnownValidators();
    known.admit([TWO.identity]);
    known.hear(new Map([[TWO.identity, { version: '4.0.3' }]]));
    known.hear(new Map());
    const two = { identity: TWO.identity, ...bare, version: '4.0.3' };
    expect(known.listed([])).toEqual([two]);
    const { identity } = ONE;
    known.see(new Map([[identity, { identity, vote: TWO.identity, stake: 9n, commission: 1, isDelinquent: false }]]));
    known.forgetOthers([TWO.identity]);
    expect(known.listed([])).toHaveLength(2);
    known.forgetOthers([]);
    expect(known.listed([]).map((each) => each.identity)).toEqual([identity]);
  });

  it('is forgotten of who neither votes nor leads, and of strangers with the next answer', () => {
    const known = createKnownValidators();
    known.recall([ONE, TWO]);
    known.forgetOthers([]);
    expect(known.listed([])).toHaveLength(2);
    const { identity } = ONE;
    known.see(new Map([[identity, { identity, vote: TWO.identity, stake: 9n, commission: 1, isDelinquent: false }]]));
    known.forgetOthers([]);
    expect(known.listed([]).map((each) => each.identity)).toEqual([identity]);
    known.name(new Map([[TWO.identity, 'Two']]));
    known.name(new Map());
    expect(known.of(TWO.identity)).toEqual({ identity: TWO.identity, ...bare });
  });
});

it('keeps a list in which nothing is otherwise, and of another one whoever is as before', () => {
  const before = [ONE, TWO];
  expect(renewed(before, [{ ...ONE }, { ...TWO }])).toBe(before);
  const after = renewed(before, [{ ...ONE }, { ...TWO, stake: 77n }]);
  expect(after).toEqual([ONE, { ...TWO, stake: 77n }]);
  expect(after[0]).toBe(ONE);
  expect(renewed(before, [{ ...ONE }])).toHaveLength(1);
});
