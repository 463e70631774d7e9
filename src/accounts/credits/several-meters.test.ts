import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENGINES, type TestEngine } from '../../../test/support/accounts-engines.ts';
import { type CreditWorld, createCreditWorld, type MeterProcess } from '../../../test/support/credit-world.ts';
import { extent } from '../../../test/support/extent.ts';
import { ApiError } from '../../contract/errors.ts';
import type { KeyPrincipal } from '../../handlers/caller.ts';
import { DEFAULT_PLANS } from '../plans.ts';
import type { Reservation } from './credit-meter.ts';
import { sweepCredits } from './credit-sweeps.ts';

const PROCESSES = 3;
const KEYS = 3;
const PRICES = [1, 2, 8, 40] as const;

/** Calls that are made at the same time, by several processes. */
const burst = fc.array(
  fc.record({
    process: fc.nat(PROCESSES - 1),
    key: fc.nat(KEYS - 1),
    cost: fc.constantFrom(...PRICES),
    /** Its cost in the end: all, one, nothing; or it stays open. */
    end: fc.constantFrom('all', 'all', 'one', 'nothing', 'later'),
  }),
  { minLength: 1, maxLength: 12 },
);

const step = fc.oneof(
  { weight: 12, arbitrary: fc.record({ kind: fc.constant('calls' as const), calls: burst }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('settle' as const), share: fc.constantFrom(0, 1) }) },
  {
    weight: 4,
    arbitrary: fc.record({ kind: fc.constant('time' as const), ms: fc.constantFrom(100, 250, 1_000, 30_000, 90_000) }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('month' as const) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constantFrom('kill' as const, 'freeze' as const, 'thaw' as const, 'fails' as const, 'loses' as const),
      process: fc.nat(PROCESSES - 1),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constantFrom('grant' as const, 'correct' as const), credits: fc.nat(3_000) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('budget' as const),
      key: fc.nat(KEYS - 1),
      credits: fc.option(fc.integer({ min: 1, max: 2_000 }), { nil: undefined }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('plan' as const), plan: fc.constantFrom('none', 'trial', 'basic') }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const history = fc.record({ credits: fc.constantFrom(0, 90, 1_500, 30_000), steps: fc.array(step, { maxLength: 30 }) });

describe.each(ENGINES)('several meters on one $engine', (engine) => {
  const numRuns = engine.engine === 'sqlite' ? extent(50, 150) : extent(10, 25);
  it('never overspend, charge twice or for nothing, whatever happens to them', () =>
    fc.assert(
      fc.asyncProperty(history, async ({ credits, steps }) => live(engine, credits, steps)),
      { numRuns },
    ));
});

async function live(engine: TestEngine, credits: number, steps: readonly Step[]): Promise<void> {
  const accounts = await engine.open();
  try {
    const life = await createLife(createCreditWorld(accounts), credits);
    for (const each of steps) await life.step(each);
    await life.end();
  } finally {
    await accounts.close();
  }
}

interface OpenCall {
  readonly reservation: Reservation;
  readonly process: MeterProcess;
}

async function createLife(world: CreditWorld, credits: number) {
  const { clock, ledger, accounts } = world;
  const accountId = await world.addAccount(credits);
  const keys: number[] = [];
  for (let key = 0; key < KEYS; key += 1) keys.push(await world.addKey(accountId));
  const processes = Array.from({ length: PROCESSES }, () => world.start());
  const gone: MeterProcess[] = [];
  const frozen = new Set<MeterProcess>();
  let open: OpenCall[] = [];
  /** Credits that customers were told their calls cost. */
  let told = 0;
  /** Credits that died with a process: at most so many were told and are charged to nobody. */
  let unwritten = 0;
  /** False once the answer to a settlement was lost: what that one could not charge is not known. */
  let isLossKnown = true;

  const settle = ({ reservation }: OpenCall, charged: number): void => {
    reservation.settle(charged);
    // Settling twice changes nothing.
    reservation.settle(0);
    told += charged;
  };

  async function call(
    { process: index, key, cost, end }: Extract<Step, { kind: 'calls' }>['calls'][number],
    principals: readonly KeyPrincipal[],
  ) {
    const process = processes[index]!;
    if (frozen.has(process)) return;
    const reserved = Promise.resolve(process.meter.reserve(principals[key]!, 'request', 'GET /x', cost));
    // A call that the database cannot be asked for is answered 503 and charged nothing.
    const reservation = await reserved.catch(() => undefined);
    if (reservation === undefined) return;
    if (end === 'later') open.push({ reservation, process });
    else settle({ reservation, process }, end === 'all' ? cost : end === 'one' ? 1 : 0);
  }

  async function act(each: Step): Promise<void> {
    switch (each.kind) {
      case 'calls': {
        const principals = await Promise.all(keys.map((key) => world.principalOf(key)));
        await clock.during(Promise.all(each.calls.map((one) => call(one, principals))));
        return;
      }
      case 'settle': {
        const settled = open.filter(({ process }) => !process.isDead && !frozen.has(process));
        open = open.filter(({ process }) => frozen.has(process));
        for (const one of settled) settle(one, one.reservation.cost * each.share);
        return;
      }
      case 'time':
        return clock.advance(each.ms);
      case 'month':
        return clock.leap(31 * 24 * 3_600_000);
      case 'kill': {
        const process = processes[each.process]!;
        unwritten += process.meter.figures.unwritten;
        process.kill();
        frozen.delete(process);
        gone.push(process);
        open = open.filter((one) => one.process !== process);
        processes[each.process] = world.start();
        return;
      }
      case 'freeze':
        processes[each.process]!.freeze();
        frozen.add(processes[each.process]!);
        return;
      case 'thaw':
        processes[each.process]!.thaw();
        frozen.delete(processes[each.process]!);
        return;
      case 'fails':
        processes[each.process]!.fault = 'fails';
        return;
      case 'loses':
        processes[each.process]!.fault = 'loses the answer';
        isLossKnown = false;
        return;
      case 'grant':
        if (each.credits > 0)
          await world.write((transaction) => ledger.grantCredits(transaction, accountId, each.credits));
        return;
      case 'correct':
        await world.write((transaction) => ledger.correctBalance(transaction, accountId, 1_500 - each.credits));
        return;
      case 'budget':
        return budget(keys[each.key]!, each.credits);
      case 'plan':
        return world.write((transaction) => ledger.changePlan(transaction, accountId, each.plan));
      case 'sweep':
        while (await sweepCredits({ accounts, ledger, plans: DEFAULT_PLANS, clock }));
        return;
    }
  }

  async function budget(key: number, budgeted: number | undefined): Promise<void> {
    try {
      await world.write(async (transaction) => {
        if (budgeted === undefined) await ledger.closeBudgetPool(transaction, key);
        else await ledger.changeBudget(transaction, key, budgeted);
      });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
    }
  }

  /** Processes meet their fault once, so that what comes of it is seen. */
  function mend(): void {
    for (const process of processes) if (process.faultsMet > 0 && !frozen.has(process)) process.fault = 'none';
  }

  async function sumOfCalls(): Promise<number> {
    const rows = await accounts.db.selectFrom('ledger').select(['amount']).where('kind', '=', 'calls').execute();
    return rows.reduce((sum, { amount }) => sum - amount, 0);
  }

  return {
    async step(each: Step) {
      await act(each);
      mend();
      expect(await world.faults()).toEqual([]);
    },
    async end() {
      for (const process of processes) {
        process.thaw();
        process.fault = 'none';
      }
      frozen.clear();
      for (const one of open) settle(one, one.reservation.cost);
      const closing = processes.map(({ meter }) => meter.close());
      await clock.during(Promise.all(closing));
      expect(await world.faults()).toEqual([]);
      const charged = await sumOfCalls();
      const lost = [...processes, ...gone].reduce((sum, { meter }) => sum + meter.figures.lost, 0);
      expect(processes.map(({ meter }) => meter.figures.unwritten)).toEqual(processes.map(() => 0));
      expect(charged).toBeLessThanOrEqual(told);
      if (isLossKnown) expect(charged + lost).toBeGreaterThanOrEqual(told - unwritten);
      const usage = await accounts.db.selectFrom('usage').select('credits').execute();
      expect(usage.reduce((sum, each) => sum + each.credits, 0)).toBe(charged);
      // Credits that the dead have left behind are free again.
      clock.leap(80_000);
      await act({ kind: 'sweep' });
      expect(await accounts.db.selectFrom('leases').selectAll().execute()).toEqual([]);
      expect(await world.faults()).toEqual([]);
    },
  };
}
