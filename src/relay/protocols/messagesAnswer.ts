import { asObject, asText, type JsonObject } from '../../base/json.ts';
import type { SignedReasoning } from '../messages.ts';
import type { ToolCallFragment, WireAnswer } from './wire.ts';
import type { WireReader } from './wireProtocol.ts';

/** Reads the messages protocol, streamed or whole, into the pieces of chat completions. Unknown events are ignored. */
export class MessagesReader implements WireReader {
  /** Blocks come one after the other. */
  private thinking: { text: string; signature: string } | undefined;
  private readonly counts: Record<string, number> = {};
  private countsCached = false;

  isWhole(body: JsonObject): boolean {
    return body['type'] === 'message' && Array.isArray(body['content']);
  }

  isFailure(body: JsonObject): boolean {
    if (body['type'] === 'error' || body['error']) return true;
    return typeof body['type'] !== 'string' && Object.keys(body).length > 0;
  }

  read(body: JsonObject): WireAnswer | undefined {
    switch (body['type']) {
      case 'message':
        return this.readWhole(body);
      case 'message_start': {
        const message = asObject(body['message']);
        return { model: asText(message?.['model']), usage: this.readUsage(message?.['usage']) };
      }
      case 'content_block_start':
        return this.openBlock(asObject(body['content_block']), indexOf(body));
      case 'content_block_delta':
        return this.readDelta(asObject(body['delta']), indexOf(body));
      case 'content_block_stop':
        return this.closeBlock();
      case 'message_delta':
        return {
          finishReason: reasonOf(asObject(body['delta'])?.['stop_reason']),
          usage: this.readUsage(body['usage']),
        };
      case 'message_stop':
        return { isDone: true };
      default:
        return undefined;
    }
  }

  private readWhole(body: JsonObject): WireAnswer {
    const blocks = (body['content'] as unknown[]).map((block) => asObject(block) ?? {});
    const textOf = (type: string, field: string) =>
      blocks.map((block) => (block['type'] === type ? (asText(block[field]) ?? '') : '')).join('');
    const calls = blocks.flatMap((block, index) =>
      block['type'] === 'tool_use' ? [{ ...toFragment(block, index), arguments: inputOf(block) }] : [],
    );
    const signed = blocks.flatMap(signedOf);
    return {
      model: asText(body['model']),
      text: textOf('text', 'text') || undefined,
      reasoning: textOf('thinking', 'thinking') || undefined,
      ...(calls.length > 0 && { toolCalls: calls }),
      ...(signed.length > 0 && { signed }),
      finishReason: reasonOf(body['stop_reason']),
      usage: this.readUsage(body['usage']),
    };
  }

  private openBlock(block: JsonObject = {}, index: number | undefined): WireAnswer {
    switch (block['type']) {
      case 'text':
        return { text: asText(block['text']) || undefined };
      case 'tool_use': {
        const input = asObject(block['input']);
        const isThere = input !== undefined && Object.keys(input).length > 0;
        return { toolCalls: [{ ...toFragment(block, index), ...(isThere && { arguments: input }) }] };
      }
      case 'thinking': {
        const text = asText(block['thinking']) ?? '';
        this.thinking = { text, signature: asText(block['signature']) ?? '' };
        return { reasoning: text || undefined };
      }
      case 'redacted_thinking':
        return { signed: signedOf(block), keptApart: asText(block['data'])?.length };
      default:
        return {};
    }
  }

  private readDelta(delta: JsonObject = {}, index: number | undefined): WireAnswer {
    switch (delta['type']) {
      case 'text_delta':
        return { text: asText(delta['text']) };
      case 'input_json_delta':
        return { toolCalls: [{ index, arguments: asText(delta['partial_json']) }] };
      case 'thinking_delta': {
        const text = asText(delta['thinking']) ?? '';
        if (this.thinking) this.thinking.text += text;
        return { reasoning: text || undefined, keptApart: text.length };
      }
      case 'signature_delta': {
        const signature = asText(delta['signature']) ?? '';
        if (this.thinking) this.thinking.signature += signature;
        return { keptApart: signature.length };
      }
      default:
        return {};
    }
  }

  private closeBlock(): WireAnswer {
    const { thinking } = this;
    this.thinking = undefined;
    return thinking?.signature ? { signed: [thinking] } : {};
  }

  /** Events are partial; some begin with 0. `input_tokens` lacks cached tokens unless new-api counts like OpenAI. */
  private readUsage(value: unknown): JsonObject | undefined {
    const usage = asObject(value);
    if (!usage) return undefined;
    for (const name of countNames) {
      const count = usage[name];
      if (typeof count === 'number' && count >= 0) this.counts[name] = count || (this.counts[name] ?? 0);
    }
    this.countsCached ||= asObject(usage['billing_usage'])?.['semantic'] === 'openai';
    const { input_tokens: input, output_tokens: output } = this.counts;
    const { cache_read_input_tokens: cached, cache_creation_input_tokens: written } = this.counts;
    const beside = this.countsCached ? 0 : (cached ?? 0) + (written ?? 0);
    const isCached = cached !== undefined || written !== undefined;
    return {
      ...(input !== undefined && { prompt_tokens: input + beside }),
      ...(output !== undefined && { completion_tokens: output }),
      ...(isCached && { prompt_tokens_details: { cached_tokens: cached, cache_write_tokens: written } }),
    };
  }
}

const countNames = [
  'input_tokens',
  'output_tokens',
  'cache_read_input_tokens',
  'cache_creation_input_tokens',
] as const;

function indexOf(body: JsonObject): number | undefined {
  return typeof body['index'] === 'number' ? body['index'] : undefined;
}

function toFragment(block: JsonObject, index: number | undefined): ToolCallFragment {
  return { index, id: asText(block['id']), name: asText(block['name']) };
}

function inputOf(block: JsonObject): JsonObject {
  return asObject(block['input']) ?? {};
}

function signedOf(block: JsonObject): SignedReasoning[] {
  const redacted = asText(block['data']);
  if (block['type'] === 'redacted_thinking') return redacted ? [{ redacted }] : [];
  const signature = asText(block['signature']);
  if (block['type'] !== 'thinking' || !signature) return [];
  return [{ text: asText(block['thinking']) ?? '', signature }];
}

function reasonOf(reason: unknown): string | undefined {
  const word = asText(reason);
  return word === undefined ? undefined : (reasons.get(word) ?? word);
}

const reasons = new Map([
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['max_tokens', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['tool_use', 'tool_calls'],
  ['refusal', 'content_filter'],
]);
