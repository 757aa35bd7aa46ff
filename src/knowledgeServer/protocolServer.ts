import type { Socket } from 'node:net';
import { type CallToolResult, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { messageOf } from '../base/errors/errors.ts';
import type { Log } from '../base/log.ts';
import { placeText, type SourceFile, type SourceReport } from '../knowledge/foundSources.ts';
import { bridgeName } from './bridge/bridgeMessages.ts';
import type { KnowledgeSession } from './knowledgeSession.ts';

/** Before it, clients refuse results with links. */
const firstWithLinks = '2025-06-18';

/** Serves the Model Context Protocol over a socket until it closes. In a file of its own, as the SDK is large. */
export async function serveProtocol(
  socket: Socket,
  session: Pick<KnowledgeSession, 'tools' | 'call'>,
  { version, linkTo, log }: { version: string; linkTo(realPath: string): string | undefined; log: Log },
): Promise<void> {
  const server = new Server(
    { name: bridgeName, version },
    { capabilities: { tools: { listChanged: true } } },
  );
  server.setRequestHandler('tools/list', () => ({ tools: [...session.tools] }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const { name = '' } = server.getClientVersion() ?? {};
    const outcome = await session.call(params.name, params.arguments, name, mcpReq.signal);
    const hasLinks = (server.getNegotiatedProtocolVersion() ?? '') >= firstWithLinks;
    return resultOf(outcome, hasLinks ? linkTo : () => undefined);
  });
  const onError = (error: Error) => log.debug(`Knowledge for programs: ${messageOf(error)}`);
  const onEnd = () => socket.destroy();
  Object.assign(server, { onerror: onError, onclose: onEnd });
  await server.connect(new StdioServerTransport(socket, socket));
  socket.resume();
}

function resultOf(
  { text, isError, files }: SourceReport,
  linkTo: (realPath: string) => string | undefined,
): CallToolResult {
  const links = new Map<string, SourceFile[]>();
  for (const found of files) {
    const uri = linkTo(found.file.realPath);
    if (uri !== undefined) links.set(uri, [...(links.get(uri) ?? []), found]);
  }
  return {
    content: [
      { type: 'text', text },
      ...[...links].map(([uri, found]) => ({
        type: 'resource_link' as const,
        uri,
        name: found[0]?.file.shown ?? uri,
        description: found.map(placeText).join(', '),
      })),
    ],
    isError,
  };
}
