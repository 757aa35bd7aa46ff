import type { JsonObject } from '../base/json.ts';
import type { CacheMarks } from './protocols/cacheMarks.ts';
import type { Dialect } from './profile/modelDialect.ts';
import { renderHistory } from './history/renderHistory.ts';
import type { SentRequest } from './profile/lessons.ts';
import type { ModelRequest } from './messages.ts';
import { dialectOf, type ModelFacts, type ModelProfiles } from './profile/modelFacts.ts';
import { plainTools } from './profile/plainTools.ts';
import { protocols } from './protocols/allProtocols.ts';
import { withoutRefused } from './protocols/refusedParameters.ts';

export interface PreparedRequest extends SentRequest {
  body: JsonObject;
  headers: Readonly<Record<string, string>>;
}

export interface PrepareOptions {
  profiles: ModelProfiles;
  marks: CacheMarks;
  marksResults: boolean;
}

/** Fields that user settings can't replace. */
const ownFields = new Set(['model', 'messages', 'input', 'system', 'stream', 'tools', 'tool_choice']);

export function prepareRequest(
  asked: ModelRequest,
  facts: ModelFacts,
  { profiles, marks, marksResults }: PrepareOptions,
): PreparedRequest {
  const { model } = asked;
  const chosen = profiles.chosenProtocol?.(model);
  const protocol = protocols[chosen ?? facts.protocol ?? 'chat-completions'];
  const dialect: Dialect = { ...dialectOf(facts), ...(facts.vision === false && { pictures: 'none' }) };
  const tools = dialect.tools === 'plain' && asked.tools ? plainTools(asked.tools) : asked.tools;
  const hasTools = Boolean(tools?.length);
  const request = withoutRefused(
    {
      ...asked,
      ...(tools && { tools }),
      ...(hasTools && !dialect.effortWithTools && { reasoningEffort: 'none' as const }),
    },
    facts.refusedParameters ?? [],
  );
  const messages = renderHistory(asked.messages, { model, dialect, hasTools });
  const isMarked = dialect.cacheMarks && marks.isFor(model, protocol.name);
  const { body: further = {}, headers = {} } = profiles.extras?.(model) ?? {};
  const own = protocol.toBody({ ...request, messages }, dialect, { isOn: isMarked, onResults: marksResults });
  const extras = Object.entries(further).filter(([field]) => !ownFields.has(field));
  return {
    request,
    messages,
    protocol,
    dialect,
    facts,
    isMarked,
    headers,
    isProtocolChosen: chosen !== undefined,
    body: { ...own, ...Object.fromEntries(extras) },
  };
}
