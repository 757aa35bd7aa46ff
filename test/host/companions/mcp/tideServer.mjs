// A real MCP server over standard input and output.
import { appendFileSync } from 'node:fs';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

/** Each start adds a line to the file that is named second. */
const [, , mode, startsFile, name = 'Harbour Office (v2)'] = process.argv;
if (startsFile) appendFileSync(startsFile, `${mode} ${process.pid}\n`);

const tide = {
  name: 'tide_now',
  description: 'Returns the height of the tide at a place.',
  // VS Code asks by itself before it runs others.
  annotations: { readOnlyHint: true },
  inputSchema: { type: /** @type {const} */ ('object'), properties: { place: { type: 'string' } } },
};

async function serve() {
  const server = new Server({ name, version: '2' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: mode === 'empty' ? [] : [tide] }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: `The tide at ${String(params.arguments?.['place'])} is 3.2 m.` }],
  }));
  await server.connect(new StdioServerTransport());
}

if (mode === 'broken') process.exitCode = 3;
else if (mode === 'silent') process.stdin.resume();
else await serve();
