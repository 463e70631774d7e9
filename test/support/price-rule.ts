/**
 * Works a printed price rule out as a reader of the cost table would. A rule is
 * arithmetic over parameters (`L` is the limit), with additions that hold under a
 * condition (`, +2 when failed=1`), or one figure for each word of a parameter
 * (`5 (1h), 8 (24h), 12 (7d)`).
 */
export function evaluateRule(rule: string, parameters: Readonly<Record<string, number | string>>): number {
  const choices = [...rule.matchAll(/(?:^|, )(\d+) \((\w+)\)/g)];
  if (choices.map(([text]) => text).join('') === rule) {
    const word = Object.values(parameters).find((value) => choices.some(([, , name]) => name === value));
    const choice = choices.find(([, , name]) => name === word);
    if (choice === undefined) throw new Error(`no parameter chooses one of: ${rule}`);
    return Number(choice[1]);
  }
  const [base = '', ...additions] = rule.split(', +');
  return additions.reduce((sum, text) => sum + addition(text, parameters), arithmetic(base, parameters));
}

function addition(text: string, parameters: Readonly<Record<string, number | string>>): number {
  const [, amount, name = '', value] = /^(\d+) when (\w+)=(\w+)$/.exec(text) ?? [];
  if (amount === undefined) throw new Error(`not an addition: ${text}`);
  if (!(name in parameters)) throw new Error(`nobody knows the parameter ${name}`);
  return String(parameters[name]) === value ? Number(amount) : 0;
}

/** Sums of products of numbers, parameters, brackets, `ceil`, `max` and `min`. */
function arithmetic(text: string, parameters: Readonly<Record<string, number | string>>): number {
  const words = text.match(/[A-Za-z_]\w*|\d+|[-+*/(),]/g) ?? [];
  if (words.join('') !== text.replaceAll(' ', '')) throw new Error(`not a rule: ${text}`);
  let at = 0;
  const accept = (word: string): boolean => {
    if (words[at] !== word) return false;
    at += 1;
    return true;
  };
  const expect = (word: string): void => {
    if (!accept(word)) throw new Error(`${word} is missing in ${text}`);
  };

  function sum(): number {
    let value = product();
    for (;;) {
      if (accept('+')) value += product();
      else if (accept('-')) value -= product();
      else return value;
    }
  }

  function product(): number {
    let value = factor();
    for (;;) {
      if (accept('*')) value *= factor();
      else if (accept('/')) value /= factor();
      else return value;
    }
  }

  function factor(): number {
    const word = words[at] ?? '';
    at += 1;
    if (/^\d/.test(word)) return Number(word);
    if (word === '(') {
      const value = sum();
      expect(')');
      return value;
    }
    const compute = FUNCTIONS[word];
    if (compute === undefined) return known(word);
    expect('(');
    const values = [sum()];
    while (accept(',')) values.push(sum());
    expect(')');
    return compute(...values);
  }

  function known(name: string): number {
    const value = parameters[name];
    if (typeof value !== 'number') throw new Error(`${name} is no number that ${text} could be worked out with`);
    return value;
  }

  const value = sum();
  if (at < words.length) throw new Error(`${words.slice(at).join('')} is left over of ${text}`);
  return value;
}

const FUNCTIONS: Readonly<Record<string, (...values: number[]) => number>> = {
  ceil: (value = Number.NaN) => Math.ceil(value),
  max: Math.max,
  min: Math.min,
};
