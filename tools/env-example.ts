import { VARIABLES } from '../src/settings.ts';

/** The text of `.env.example`: every variable, commented out, with what it does and its default. */
export function renderEnvExample(): string {
  const lines = ['# Generated from src/settings/ by `npm run docs:generate`. Nothing here is required.', ''];
  for (const variable of Object.values(VARIABLES)) {
    const fallback = 'default' in variable ? ` Default: ${variable.default}.` : '';
    lines.push(`# ${variable.help}${fallback}`, `# ${variable.env}=${variable.example}`, '');
  }
  return lines.join('\n');
}
