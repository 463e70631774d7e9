#!/usr/bin/env node
// The command line. On a clean clone it installs and builds first; after that it goes straight to the service.
import { build } from './build.mjs';
import { ensureInstalled } from './ensure-installed.mjs';

ensureInstalled({ development: false });
build();
const { main } = await import('../dist/main.js');
await main(process.argv.slice(2));
