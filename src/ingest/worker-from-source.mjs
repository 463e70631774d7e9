// A thread does not inherit the loader that lets Node read TypeScript, so it registers it before it goes on.
import { register } from 'tsx/esm/api';

register();
await import('./worker.ts');
