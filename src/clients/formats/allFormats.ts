import { lazy } from '../../base/async/lazy.ts';
import type { Format } from './format.ts';

async function json(options: import('./json.ts').JsonOptions): Promise<Format> {
  return (await import('./json.ts')).createJson(options);
}

export const formats = {
  json: lazy(() => json({ mode: 'json' })),
  /** Comments, but no trailing commas. */
  jsonc: lazy(() => json({ mode: 'jsonc' })),
  jsoncWithTrailingCommas: lazy(() => json({ mode: 'jsonc', allowTrailingCommas: true })),
  jsonWithLineComments: lazy(() => json({ mode: 'jsonc', lacksBlockComments: true })),
  json5: lazy(() => json({ mode: 'json5' })),
  toml: lazy(async () => (await import('./toml.ts')).toml),
  yaml: lazy(async () => (await import('./yaml.ts')).yaml),
} satisfies Record<string, () => Promise<Format>>;

export type FormatName = keyof typeof formats;
