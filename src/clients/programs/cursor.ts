import { join } from 'node:path';
import { commandEntry, type KnowledgeProgram } from '../knowledgeProgram.ts';

/** By its documentation (cursor.com/docs/mcp, October 2026), not measured. The user switches the server on there. */
export const cursor: KnowledgeProgram = {
  id: 'cursor',
  name: 'Cursor',
  command: 'cursor',
  serverFile: ({ home }) => ({
    path: join(home, '.cursor', 'mcp.json'),
    format: 'json',
    refusesMark: true,
    list: ['mcpServers'],
    entry: commandEntry,
  }),
};
