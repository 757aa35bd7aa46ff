import { asObject, asText, type JsonObject } from '../base/json.ts';
import type { WireReader } from '../relay/wireProtocol.ts';

/** Reads the text of an answer by the responses protocol, to see whether a relay speaks it. All else is ignored. */
export const responsesReader: WireReader = {
  isWhole: (body) => body['object'] === 'response' && Array.isArray(body['output']),
  isFailure: (body) =>
    body['type'] === 'error' || body['type'] === 'response.failed' || Boolean(body['error']),
  read(body) {
    switch (body['type']) {
      case 'response.output_text.delta':
        return { text: asText(body['delta']) };
      case 'response.completed':
      case 'response.incomplete':
        return { finishReason: body['type'] === 'response.completed' ? 'stop' : 'length', isDone: true };
      default:
        return body['object'] === 'response' ? { text: textOf(body), finishReason: 'stop' } : undefined;
    }
  },
};

function textOf({ output }: JsonObject): string | undefined {
  const items = output as unknown[];
  const parts = items.flatMap((item) => {
    const content = asObject(item)?.['content'];
    return Array.isArray(content) ? (content as unknown[]) : [];
  });
  return parts.map((part) => asText(asObject(part)?.['text']) ?? '').join('') || undefined;
}
