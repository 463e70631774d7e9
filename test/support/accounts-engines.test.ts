import { describe, expect, it } from 'vitest';
import { ENGINES } from './accounts-engines.ts';

describe.each(ENGINES)('a test database on $engine', ({ engine, open }) => {
  it('is empty, its own, and open to another process of the test', async () => {
    const [one, other] = await Promise.all([open(), open()]);
    const setting = { name: 'a', value: 'b' };
    await one.db.insertInto('settings').values(setting).execute();
    const another = await one.openAnother();
    expect(another.engine).toBe(engine);
    expect(await another.db.selectFrom('settings').selectAll().execute()).toEqual([setting]);
    expect(await other.db.selectFrom('settings').selectAll().execute()).toEqual([]);
    await Promise.all([one.close(), other.close()]);
  });
});
