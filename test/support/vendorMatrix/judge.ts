import * as z from 'zod';
import type { ChatItem, NoticeItem } from '../../../src/chat/conversation/items.ts';
import { blindKinds, skipsSignature } from '../vendorBodies.ts';
import type { Asked, Stage } from './contestants.ts';

/** An app doesn't know the conversation, or a model has no tools or doesn't see. */
function isExpected({ kind, detail = '' }: NoticeItem): boolean {
  const isBlind = [...blindKinds].some((blind) => detail === `vendor/${blind}`);
  return (
    kind === 'app-apart' ||
    (kind === 'tools-refused' && detail === 'vendor/no-tools') ||
    (kind === 'no-older-pictures' && isBlind)
  );
}

/** @param refusedBefore models' reasons for earlier refusals in the window; grows */
export function findFaults(
  { asked, thoughts }: Stage,
  items: readonly ChatItem[],
  refusedBefore: Set<string>,
): string[] {
  return [
    ...new Set([
      ...foreignNotices(items),
      ...uncounted(items),
      ...repeatedRefusals(asked, refusedBefore),
      ...brokenPrefixes(asked),
      ...lostFields(asked, thoughts),
    ]),
  ];
}

function foreignNotices(items: readonly ChatItem[]): string[] {
  return items.flatMap((item) =>
    item.type === 'notice' && !isExpected(item) ? [`notice ${item.kind}: ${item.detail ?? ''}`] : [],
  );
}

function uncounted(items: readonly ChatItem[]): string[] {
  return items.flatMap((item) =>
    item.type === 'answer' && item.end?.reason === 'answered' && !item.app && !item.requests?.length
      ? [`no usage of an answer: ${item.text.slice(0, 80)}`]
      : [],
  );
}

/** A model may refuse each kind of request once. */
function repeatedRefusals(asked: readonly Asked[], seen: Set<string>): string[] {
  return asked.flatMap(({ contestant, refusal }) => {
    if (refusal === undefined) return [];
    const rule = `${contestant.name}: ${refusal.replaceAll(/[\d.]+|'[^']*'|`[^`]*`/g, '…').slice(0, 60)}`;
    if (seen.has(rule)) return [`refused for the same reason again: ${contestant.name}: ${refusal}`];
    seen.add(rule);
    return [];
  });
}

/** For one model, each request begins byte for byte with the previous one, so that vendors have it cached. */
function brokenPrefixes(asked: readonly Asked[]): string[] {
  const faults: string[] = [];
  let before: Asked | undefined;
  for (const each of asked) {
    const isComparable =
      !each.isFresh &&
      before?.contestant === each.contestant &&
      before.protocol === each.protocol &&
      before.refusal === undefined &&
      each.refusal === undefined;
    if (before && isComparable) {
      const [known, now] = [conversationText(before.body), conversationText(each.body)];
      // The last message may grow: questions without an answer between them are one message.
      if (!now.startsWith(known.replace(/["\]}]+$/, ''))) {
        faults.push(
          `${each.contestant.name}: a request doesn't begin with the one before: ${difference(known, now)}`,
        );
      }
    }
    before = each;
  }
  return faults;
}

function conversationText(body: Asked['body']): string {
  const { tools, system, messages, input } = body;
  return JSON.stringify([tools, system, messages ?? input], (name: string, value: unknown) => {
    if (name === 'cache_control') return undefined;
    // A text with a cache mark or a picture becomes a part.
    if (name === 'content' && typeof value === 'string') return [{ type: 'text', text: value }];
    return value;
  });
}

function difference(known: string, now: string): string {
  let at = 0;
  while (known[at] === now[at]) at += 1;
  const near = (text: string) => text.slice(Math.max(0, at - 60), at + 60);
  return `…${near(known)}… became …${near(now)}…`;
}

const sentSchema = z.looseObject({
  content: z.unknown().optional(),
  reasoning_content: z.string().optional(),
  tool_calls: z
    .array(
      z.looseObject({
        function: z.looseObject({ arguments: z.string() }),
        extra_content: z.looseObject({ google: z.looseObject({ thought_signature: z.string() }) }).optional(),
      }),
    )
    .optional(),
});

/** Fields that only a model itself understands go back to it unchanged. */
function lostFields(asked: readonly Asked[], thoughts: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  for (const { contestant, protocol, body, refusal } of asked) {
    if (refusal !== undefined || protocol !== 'chat-completions') continue;
    const { name, kind, modelId } = contestant;
    const isDemanded = (hasCalls: boolean) =>
      (kind === 'kimi-k2.5' && hasCalls) || (kind === 'deepseek-v4' && body['tools'] !== undefined);
    for (const sent of z.array(sentSchema).parse(body['messages'])) {
      const { content, tool_calls: [first] = [], reasoning_content: reasoning = '' } = sent;
      // Files name the model that reads them, answers the model that writes them.
      const call = first?.function.arguments ?? '';
      const isOwn =
        call.includes(`"${name}/`) || (!first && String(content).startsWith(`I am \`${modelId}\``));
      if (!isOwn || call.includes('text.md')) continue;
      if (isDemanded(first !== undefined) && !thoughts.has(reasoning)) {
        faults.push(`${name}: its own reasoning didn't come back: ${call || String(content).slice(0, 80)}`);
      }
      const signature = first?.extra_content?.google.thought_signature;
      if (kind === 'gemini-3' && first && signature === skipsSignature) {
        faults.push(`${name}: its own signature didn't come back: ${call}`);
      }
    }
  }
  return faults;
}
