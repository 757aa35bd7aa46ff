import { join } from 'node:path';
import { unlessThere } from '../programEntries.ts';
import { type KnowledgeProgram, localEntry } from '../knowledgeProgram.ts';

/** A fork of opencode. It rewrites `kilo.json` at its first start, without the comments. */
export const kilo: KnowledgeProgram = {
  id: 'kilo',
  name: 'Kilo',
  command: 'kilo',
  serverFile({ home, environment, exists }) {
    const folder = join(environment['XDG_CONFIG_HOME'] || join(home, '.config'), 'kilo');
    const withComments = join(folder, 'kilo.jsonc');
    return {
      path: exists(withComments) ? withComments : join(folder, 'kilo.json'),
      format: 'jsoncWithTrailingCommas',
      list: ['mcp'],
      entry: localEntry,
      further: (current) =>
        unlessThere(current, [{ path: ['$schema'], value: 'https://app.kilo.ai/config.json' }]),
    };
  },
};
