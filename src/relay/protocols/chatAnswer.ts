import { asObject, asText, type JsonObject } from '../../base/json.ts';
import type { SignedReasoning } from '../messages.ts';
import { readAnswer, thinkingBlocksIn, type WireAnswer } from './wire.ts';
import type { WireReader } from './wireProtocol.ts';

/** Chunks are independent, except Claude's signed reasoning behind LiteLLM: streamed text, then a signature. */
export class ChatReader implements WireReader {
  private thinking = '';

  isWhole(body: JsonObject): boolean {
    return Array.isArray(body['choices']);
  }

  isFailure(body: JsonObject): boolean {
    return Boolean(body['error']) || (body['choices'] === undefined && reportsFailure(body));
  }

  read(body: JsonObject): WireAnswer {
    const piece = readAnswer(body);
    const blocks = thinkingBlocksIn(body);
    return Array.isArray(blocks) ? { ...piece, ...this.readBlocks(blocks) } : piece;
  }

  private readBlocks(blocks: readonly unknown[]): Pick<WireAnswer, 'signed' | 'keptApart'> {
    let keptApart = 0;
    const signed = blocks.flatMap((each): SignedReasoning[] => {
      const block = asObject(each);
      const [redacted, signature] = [asText(block?.['data']), asText(block?.['signature'])];
      const text = asText(block?.['thinking']) ?? '';
      keptApart += text.length + (signature ?? redacted ?? '').length;
      if (block?.['type'] === 'redacted_thinking') return redacted ? [{ redacted }] : [];
      this.thinking += text;
      if (!signature) return [];
      const whole = { text: this.thinking, signature };
      this.thinking = '';
      return [whole];
    });
    return { signed, keptApart };
  }
}

/** Failures without `error`: `{success: false}`, `{message, code}`. */
function reportsFailure(body: JsonObject): boolean {
  return body['success'] === false || body['message'] !== undefined || body['detail'] !== undefined;
}
