import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/paths.ts';

export const manual: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'docs', 'guide')).map((name) => `docs/guide/${name}`),
];
