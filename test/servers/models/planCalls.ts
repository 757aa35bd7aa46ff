import type { ScriptedCall } from '../script/script.ts';
import { type ChatRequest, messagesOfTurn, questionOf } from '../relay/chatRequest.ts';
import { callWith, createCall, findTool } from './offeredTools.ts';

/**
 * The calls that a message asks for and this round has to make; none when all is done or the tools are not
 * offered. Understood, in one message: "read A, B and C", "search for X", "list files in D", "search the
 * knowledge base for X" (up to the end of the sentence), "run `COMMAND`" (without quotes up to the end of the
 * line), "call NAME with {json}". The text after "then" is for the next round.
 */
export function planCalls(request: ChatRequest, idPrefix?: string): ScriptedCall[] {
  const done = messagesOfTurn(request).filter((message) => message.tool_calls).length;
  const wish = wishesOf(request)[done];
  return wish === undefined ? [] : callsFor(wish, request, idPrefix);
}

export function asksForCalls(request: ChatRequest): boolean {
  return wishesOf(request).some((wish) => callsFor(wish, request).length > 0);
}

function wishesOf(request: ChatRequest): string[] {
  return questionOf(request).split(/\bthen\b/i);
}

const knowledgeWish =
  /\bsearch (?:the |my |our )?knowledge bases? for (?:["'`]([^"'`]+)["'`]|([^\n.;:!?]+))/gi;

export function callsFor(wish: string, request: ChatRequest, idPrefix?: string): ScriptedCall[] {
  const calls: ScriptedCall[] = [];
  const add = (name: string, argument: Record<string, string | undefined>) => {
    const tool = findTool(request, name);
    if (tool) calls.push(createCall(name, callWith(tool, argument), idPrefix));
  };

  for (const [, name = '', json = '{}'] of wish.matchAll(
    /\bcall (?:the tool )?`?([\w-]+)`?(?: with (\{.*\}))?/gi,
  )) {
    if (findTool(request, name)) calls.push({ ...createCall(name, {}, idPrefix), arguments: json });
  }
  for (const [, quoted, plain] of wish.matchAll(/\brun (?:`([^`\n]+)`|([^`\n]+))/gi)) {
    add('run_command', { command: quoted ?? plain?.trim() });
  }
  for (const [, names = ''] of wish.matchAll(/\bread\b((?:(?!\b(?:search|list|call)\b)[^\n])*)/gi)) {
    for (const path of pathsIn(names)) add('read_file', { path });
  }
  for (const [, quoted, plain] of wish.matchAll(knowledgeWish)) {
    add('search_knowledge', { query: quoted ?? plain?.trim() });
  }
  for (const [, quoted, plain] of wish
    .replaceAll(knowledgeWish, '')
    .matchAll(/\bsearch (?:for )?(?:["'`]([^"'`]+)["'`]|(\S+))/gi)) {
    add('search_text', { query: quoted ?? plain?.replace(/[.,;:!?]+$/, '') });
  }
  for (const [, folder] of wish.matchAll(
    /\blist (?:the |all )?files(?: (?:in|of|under) [`"']?([\w./\\-]+))?/gi,
  )) {
    add('list_files', { path: folder?.replace(/\.$/, '') });
  }
  return calls;
}

function pathsIn(clause: string): string[] {
  const words = clause
    .split(/\s+(?:and|or)\s+|[,\s]+/)
    .map((word) => word.replace(/^["'`(]+|["'`).;:!?]+$/g, ''));
  return words.filter((word) =>
    /[\w-][./\\][\w-]|^\.[\w-]+$|^[A-Z][A-Z_-]{3,}$|^(?:Make|Docker)file$/.test(word),
  );
}
