import type { TSchema } from 'typebox';
import { Value } from 'typebox/value';
import { LOOPBACK_HOSTS } from './settings/service-settings.ts';
import type { Variable } from './settings/variable.ts';
import { type Settings, VARIABLES } from './settings.ts';

export type Config = Settings & {
  /** True when the environment names the source, even if it names the default. */
  readonly sourceNamed: boolean;
  readonly dataDirNamed: boolean;
};

/** One thing wrong with the environment. Never holds the value: it may be a secret. */
export interface ConfigFault {
  readonly variable: string;
  readonly message: string;
}

export class InvalidConfig extends Error {
  override readonly name = 'InvalidConfig';
  readonly faults: readonly ConfigFault[];

  constructor(faults: readonly ConfigFault[]) {
    super(`invalid configuration:\n${faults.map((fault) => `  ${fault.variable}: ${fault.message}`).join('\n')}`);
    this.faults = faults;
  }
}

/**
 * Reads the whole configuration, or throws {@link InvalidConfig} with every
 * fault there is. An empty variable counts as unset.
 */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  const faults: ConfigFault[] = [];
  const values: Record<string, unknown> = {};
  for (const [key, { env: name, schema, default: fallback, expects, accepts = () => true }] of Object.entries(
    VARIABLES as Record<string, Variable<TSchema>>,
  )) {
    const text = env[name] === undefined || env[name] === '' ? fallback : env[name];
    if (text === undefined) continue;
    const value: unknown = Value.Convert(schema, text);
    if (Value.Check(schema, value) && accepts(text)) values[key] = value;
    else faults.push({ variable: name, message: expects ?? expectation(schema) });
  }
  faults.push(...contradictions(values as Partial<Config>));
  if (faults.length > 0) throw new InvalidConfig(faults);
  const isNamed = (name: string) => env[name] !== undefined && env[name] !== '';
  const named = { sourceNamed: isNamed(VARIABLES.source.env), dataDirNamed: isNamed(VARIABLES.dataDir.env) };
  return Object.freeze({ ...unset(), ...values, ...named }) as Config;
}

/** Optional settings are present and undefined, so that a config always has the same shape. */
function unset(): Record<string, undefined> {
  return Object.fromEntries(Object.keys(VARIABLES).map((key) => [key, undefined]));
}

function contradictions(config: Partial<Config>): ConfigFault[] {
  const faults: ConfigFault[] = [];
  if (config.source === 'rpc' && config.solanaRpcUrl === undefined) {
    faults.push({ variable: 'SOLANA_RPC_URL', message: 'is needed by MINTSCOPE_SOURCE=rpc' });
  }
  if (config.source === 'rpc' && config.commitment === 'processed') {
    faults.push({ variable: 'MINTSCOPE_COMMITMENT', message: 'must be confirmed with MINTSCOPE_SOURCE=rpc' });
  }
  if (config.source === 'yellowstone' && config.yellowstoneUrl === undefined) {
    faults.push({ variable: 'YELLOWSTONE_URL', message: 'is needed by MINTSCOPE_SOURCE=yellowstone' });
  }
  if (config.fundingLookups === true && config.solanaRpcUrl === undefined) {
    faults.push({ variable: 'SOLANA_RPC_URL', message: 'is needed by MINTSCOPE_FUNDING_LOOKUPS=true' });
  }
  if (config.devKey !== undefined && config.host !== undefined && !LOOPBACK_HOSTS.includes(config.host)) {
    faults.push({ variable: 'MINTSCOPE_DEV_KEY', message: 'works on a loopback MINTSCOPE_HOST only' });
  }
  return faults;
}

function expectation(schema: TSchema): string {
  const { type, minimum, maximum, pattern, minLength, maxLength, anyOf } = schema as Record<string, unknown>;
  if (type === 'integer') return `must be a whole number from ${minimum} to ${maximum}`;
  if (type === 'boolean') return 'must be true or false';
  if (Array.isArray(anyOf)) return `must be one of ${anyOf.map((each: { const: string }) => each.const).join(', ')}`;
  const length = maxLength === undefined ? '' : ` and have ${minLength} to ${maxLength} characters`;
  return pattern === undefined ? 'must not be empty' : `must match ${pattern}${length}`;
}
