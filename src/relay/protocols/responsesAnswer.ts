import { asObject, asText, type JsonObject, parseJson } from '../../base/json.ts';
import type { SignedReasoning } from '../messages.ts';
import type { ToolCallFragment, WireAnswer } from './wire.ts';
import type { WireReader } from './wireProtocol.ts';

export const betweenMessages = '\n\n';

interface Item {
  type: string;
  at: number;
  /** Unique per call: indexes may repeat. */
  key: number;
  length: number;
  id?: string | undefined;
  name?: string | undefined;
  isTold: boolean;
  phase?: string | undefined;
  held?: string[] | undefined;
  calls: number;
  block?: JsonObject | undefined;
}

/** Even an empty item counts toward the limit. */
const itemWeight = 200;

/** Identifies items by index: some relays rotate ids, and sequence numbers have gaps. Ignores unknown events. */
export class ResponsesReader implements WireReader {
  private readonly items: Item[] = [];
  private readonly byPlace = new Map<number, Item>();
  private latest: Item | undefined;
  private keys = 0;
  /** The event type of text: OpenRouter documents another one, which must not repeat it. */
  private textEvent: unknown;
  private hasText = false;
  private hasRefused = false;
  private hasEnded = false;
  private thought: { item: Item; part: unknown } | undefined;

  isWhole(body: JsonObject): boolean {
    return body['object'] === 'response' && Array.isArray(body['output']);
  }

  isFailure(body: JsonObject): boolean {
    const type = body['type'];
    if (type === 'error' || type === 'response.failed' || body['error']) return true;
    if (type === 'response.done') return responseOf(body)['status'] === 'failed';
    if (typeof type === 'string') return false;
    if (body['object'] === 'response') return body['status'] === 'failed';
    return Object.keys(body).length > 0;
  }

  errorIn(body: JsonObject): JsonObject {
    return body['type'] === 'error' ? body : responseOf(body);
  }

  read(body: JsonObject): WireAnswer | undefined {
    switch (body['type']) {
      case 'response.output_text.delta':
      case 'response.content_part.delta':
        this.textEvent ??= body['type'];
        return body['type'] === this.textEvent ? this.addText(body) : undefined;
      case 'response.refusal.delta':
        this.hasRefused = true;
        return this.addText(body);
      case 'response.reasoning_summary_text.delta':
      case 'response.reasoning_text.delta':
        return this.addReasoning(body);
      case 'response.function_call_arguments.delta':
        return this.addArguments(body);
      case 'response.function_call_arguments.done':
        return this.closeCall(this.itemAt(body, 'function_call'), body);
      case 'response.output_item.added':
        return this.addItem(body);
      case 'response.output_item.done':
        return this.closeItem(asObject(body['item']) ?? {}, body);
      case 'response.completed':
      case 'response.incomplete':
      case 'response.done':
        return this.hasEnded ? {} : this.end(responseOf(body), body);
      case 'response.created':
      case 'response.in_progress':
      case 'response.queued':
        return { isPreamble: true, model: asText(body['model']) ?? asText(responseOf(body)['model']) };
      default:
        return body['object'] === 'response' ? this.end(body, body) : undefined;
    }
  }

  private addText(body: JsonObject): WireAnswer {
    const text = asText(body['delta']);
    return text ? { text: this.passText(this.itemAt(body, 'message'), text) } : {};
  }

  private passText(item: Item, text: string): string {
    const isNext = item.length === 0 && this.hasText;
    item.length += text.length;
    this.hasText = true;
    return isNext ? betweenMessages + text : text;
  }

  private addReasoning(body: JsonObject): WireAnswer {
    const text = asText(body['delta']);
    const part = body['summary_index'] ?? body['content_index'];
    return text ? { reasoning: this.passReasoning(this.itemAt(body, 'reasoning'), part, text) } : {};
  }

  private passReasoning(item: Item, part: unknown, text: string): string {
    const { thought } = this;
    item.length += text.length;
    if (thought?.item === item && thought.part === part) return text;
    this.thought = { item, part };
    return thought ? `\n\n${text}` : text;
  }

  private addArguments(body: JsonObject): WireAnswer {
    const text = asText(body['delta']);
    if (!text) return {};
    const item = this.itemAt(body, 'function_call');
    item.length += text.length;
    if (!item.held) return { toolCalls: [{ index: item.key, arguments: text }] };
    item.held.push(text);
    return { keptApart: text.length };
  }

  private addItem(body: JsonObject): WireAnswer {
    const item = asObject(body['item']) ?? {};
    const opened = this.open(item, body['output_index']);
    // Other items only announce themselves here.
    if (opened.type !== 'function_call') return { isPreamble: true, keptApart: itemWeight };
    const { key: index, id, name, held } = opened;
    if (held) return { keptApart: itemWeight };
    opened.isTold = true;
    return { toolCalls: [{ index, id, name }] };
  }

  private closeItem(item: JsonObject, body: JsonObject): WireAnswer {
    const type = asText(item['type']) ?? '';
    const opened = this.itemAt(body, type, item);
    switch (type) {
      case 'message': {
        opened.phase = asText(item['phase']) ?? opened.phase;
        this.hasRefused ||= partsOf(item['content']).some((part) => part['type'] === 'refusal');
        const lacking = textOf(item['content']).slice(opened.length);
        return lacking ? { text: this.passText(opened, lacking) } : {};
      }
      case 'reasoning': {
        const told = textOf(item['summary']) || textOf(item['content']);
        opened.block = replayable(item);
        return {
          ...(told && opened.length === 0 && { reasoning: this.passReasoning(opened, undefined, told) }),
          keptApart: JSON.stringify(item).length,
        };
      }
      case 'function_call':
        return this.closeCall(opened, item);
      default:
        return {};
    }
  }

  private closeCall(item: Item, { call_id: id, name, arguments: args }: JsonObject): WireAnswer {
    const object = asObject(args);
    const whole = object ? JSON.stringify(object) : (asText(args) ?? '');
    if (item.held) return { toolCalls: this.unfold(item, whole || item.held.join('')) };
    const before = item.isTold ? { id: item.id, name: item.name } : {};
    item.isTold = true;
    item.id ??= asText(id);
    item.name ??= asText(name);
    const lacking = whole.slice(item.length);
    item.length += lacking.length;
    const fragment: ToolCallFragment = {
      index: item.key,
      ...(item.id !== before.id && { id: item.id }),
      ...(item.name !== before.name && { name: item.name }),
      ...(lacking && { arguments: lacking }),
    };
    return { toolCalls: [fragment] };
  }

  /** Some models put several calls into one: `{tool_uses: [{recipient_name, parameters}]}`. */
  private unfold(item: Item, args: string): ToolCallFragment[] {
    const { key: index, id, name } = item;
    item.held = undefined;
    item.isTold = true;
    item.length = args.length;
    const uses = partsOf(asObject(parseJson(args))?.['tool_uses']);
    const calls = uses.flatMap((use, at): ToolCallFragment[] => {
      const called = asText(use['recipient_name'])?.replace(/^functions\./, '');
      if (!called) return [];
      const call = { name: called, arguments: JSON.stringify(asObject(use['parameters']) ?? {}) };
      return [{ ...call, index: this.keys++, ...(id && { id: `${id}_${at}` }) }];
    });
    item.calls = Math.max(1, calls.length);
    return calls.length > 0 ? calls : [{ index, id, name, arguments: args }];
  }

  private end(response: JsonObject, event: JsonObject): WireAnswer {
    this.hasEnded = true;
    const output = partsOf(response['output']);
    const late = this.items.filter(({ held }) => held).map((item) => this.closeCall(item, {}));
    // For a whole answer, this is the only content.
    const pieces =
      this.items.length > 0
        ? late
        : output.map((item, place) => this.closeItem(item, { output_index: place }));
    const keptApart = pieces.reduce(
      (sum, piece) => sum + (piece.keptApart ?? 0),
      this.keepLateReasoning(output),
    );
    return {
      model: asText(event['model']) ?? asText(response['model']),
      text: pieces.map(({ text = '' }) => text).join('') || undefined,
      reasoning: pieces.map(({ reasoning = '' }) => reasoning).join('') || undefined,
      toolCalls: pieces.flatMap(({ toolCalls = [] }) => toolCalls),
      signed: this.kept(),
      keptApart,
      finishReason: this.reasonOf(response, event['type']),
      usage: response['usage'],
      isDone: true,
    };
  }

  /** Azure and LiteLLM's bridge send encrypted reasoning only at the end. Returns its characters. */
  private keepLateReasoning(output: readonly JsonObject[]): number {
    const late = output.filter(({ type }) => type === 'reasoning');
    const known = this.items.filter(({ type }) => type === 'reasoning');
    let size = 0;
    for (const [index, item] of late.length === known.length ? known.entries() : []) {
      const block = replayable(late[index] ?? {});
      if (!block?.['encrypted_content'] || item.block?.['encrypted_content']) continue;
      item.block = block;
      size += JSON.stringify(block).length;
    }
    return size;
  }

  /** Reasoning with the order of the output, and phases of messages; empty without either. */
  private kept(): SignedReasoning[] {
    if (!this.items.some(({ block, phase }) => block || phase)) return [];
    const inOrder = this.items.toSorted((one, other) => one.at - other.at);
    return inOrder.flatMap(({ type, block, phase, length, calls }): SignedReasoning[] => {
      if (block) return [{ item: block }];
      if (type === 'message' && length > 0) return [{ item: { type, ...(phase && { phase }), length } }];
      return Array.from({ length: calls }, () => ({ item: { type } }));
    });
  }

  private reasonOf({ status, incomplete_details: details }: JsonObject, type: unknown): string {
    const why = asText(asObject(details)?.['reason']);
    if (type === 'response.incomplete' || status === 'incomplete' || why)
      return why && why !== 'max_output_tokens' ? why : 'length';
    if (status === 'cancelled') return 'error';
    if (this.hasRefused) return 'content_filter';
    return this.items.some(({ calls }) => calls > 0) ? 'tool_calls' : 'stop';
  }

  /** Not every server announces items. */
  private itemAt({ output_index: place }: JsonObject, type: string, item: JsonObject = { type }): Item {
    const known = typeof place === 'number' ? this.byPlace.get(place) : this.latest;
    const id = asText(item['call_id']);
    const isOther = id !== undefined && known?.id !== undefined && known.id !== id;
    return known?.type === type && !isOther ? known : this.open(item, place);
  }

  private open(item: JsonObject, place: unknown): Item {
    const type = asText(item['type']) ?? '';
    const isCall = type === 'function_call';
    const name = isCall ? asText(item['name']) : undefined;
    const opened: Item = {
      type,
      at: typeof place === 'number' ? place : this.items.length,
      key: this.keys++,
      length: 0,
      id: isCall ? asText(item['call_id']) : undefined,
      name,
      isTold: false,
      phase: asText(item['phase']),
      held: name && /^(?:multi_tool_use[._])?parallel$/.test(name) ? [] : undefined,
      calls: isCall ? 1 : 0,
      block: undefined,
    };
    this.items.push(opened);
    if (typeof place === 'number') this.byPlace.set(place, opened);
    return (this.latest = opened);
  }
}

function responseOf(body: JsonObject): JsonObject {
  return asObject(body['response']) ?? body;
}

/**
 * A reasoning item in the form that servers accept back. LiteLLM's bridge to chat completions returns reasoning as
 * messages; it converts a summary into `reasoning_content`, and encrypted content into Claude's signed blocks.
 */
function replayable(item: JsonObject): JsonObject | undefined {
  const { type, id, summary, content } = item;
  const encrypted = asText(item['encrypted_content']);
  if (asText(id) === undefined) return undefined;
  if (Array.isArray(summary)) return item;
  const text = textOf(content);
  if (!text && !encrypted) return undefined;
  return {
    type,
    id,
    summary: text ? [{ type: 'summary_text', text }] : [],
    ...(encrypted && { encrypted_content: encrypted }),
  };
}

function partsOf(value: unknown): JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((part): JsonObject[] => {
    const object = asObject(part);
    return object ? [object] : [];
  });
}

function textOf(value: unknown): string {
  const parts = partsOf(value);
  const isMessage = parts.some(({ type }) => type === 'output_text' || type === 'refusal');
  return parts
    .map(({ text, refusal }) => asText(text) ?? asText(refusal) ?? '')
    .filter(Boolean)
    .join(isMessage ? '' : '\n\n');
}
