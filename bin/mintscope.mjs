#!/usr/bin/env node
// The command line. On a clean clone it installs and builds first; after that it goes straight to the service.
import { build } from './build.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

ensureInstalled({ development: false });
build();
const { DESCRIPTORS_REMEDY, readDescriptorLimit } = await import('../dist/kernel/descriptors.js');
/** Modules alone open some hundred files at once. */
const MIN_DESCRIPTORS = 512;
const limit = readDescriptorLimit() ?? MIN_DESCRIPTORS;
if (limit < MIN_DESCRIPTORS) {
  console.error(`mintscope: ${limit} file descriptors are too few: ${DESCRIPTORS_REMEDY}`);
  process.exit(1);
}
const { main } = await import('../dist/main.js');
await main(process.argv.slice(2));
