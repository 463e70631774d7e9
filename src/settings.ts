import type { Static } from 'typebox';
import { LOOKUP_SETTINGS } from './settings/lookup-settings.ts';
import { SERVICE_SETTINGS } from './settings/service-settings.ts';
import { SOURCE_SETTINGS } from './settings/source-settings.ts';
import { STORAGE_SETTINGS } from './settings/storage-settings.ts';

/** Every environment variable there is, validated at once. `.env.example` is generated from it (`npm run docs:generate`). */
export const VARIABLES = { ...SERVICE_SETTINGS, ...STORAGE_SETTINGS, ...SOURCE_SETTINGS, ...LOOKUP_SETTINGS } as const;

type Variables = typeof VARIABLES;
type Setting<K extends keyof Variables> = Variables[K] extends { readonly default: string }
  ? Static<Variables[K]['schema']>
  : Static<Variables[K]['schema']> | undefined;

export type Settings = { readonly [K in keyof Variables]: Setting<K> };
