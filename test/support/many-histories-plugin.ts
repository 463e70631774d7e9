import { fileURLToPath } from 'node:url';
import type { Vite } from 'vitest/node';

const MANY_HISTORIES = fileURLToPath(new URL('many-histories.ts', import.meta.url));

/**
 * Vite's plugin that gives tests a fast-check which runs many times their histories,
 * whatever number a property names: settings of fast-check itself yield to that number.
 */
export function manyHistoriesPlugin(): Vite.Plugin {
  return {
    name: 'many-histories',
    enforce: 'pre',
    resolveId: (source, importer) =>
      source === 'fast-check' && importer !== MANY_HISTORIES ? MANY_HISTORIES : undefined,
  };
}
