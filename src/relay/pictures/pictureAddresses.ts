import { asObject, asText, type JsonObject } from '../../base/json.ts';

/** Data addresses, remote addresses or bare base64 in a piece. Nearly always undefined, at the cost of two look-ups. */
export function pictureAddressesOf(delta: JsonObject | undefined): readonly string[] | undefined {
  const images = delta?.['images'];
  const content = delta?.['content'];
  if (!Array.isArray(images) && !Array.isArray(content)) return undefined;
  const parts: unknown[] = [
    ...(Array.isArray(images) ? images : []),
    ...(Array.isArray(content) ? content.filter(isPicture) : []),
  ];
  const addresses = parts.flatMap((part) => addressOf(part) ?? []);
  return addresses.length > 0 ? addresses : undefined;
}

const pictureTypes = new Set<unknown>(['image_url', 'output_image', 'image']);

function isPicture(part: unknown): boolean {
  return pictureTypes.has(asObject(part)?.['type']);
}

/** `image_url`: OpenRouter, LiteLLM and the responses protocol; `source`: the messages protocol. */
function addressOf(part: unknown): string | undefined {
  if (typeof part === 'string') return part || undefined;
  const fields = asObject(part);
  for (const name of ['image_url', 'url', 'image', 'source', 'b64_json', 'data']) {
    const value = fields?.[name];
    const inner = asObject(value);
    const address = asText(value) ?? asText(inner?.['url']) ?? asText(inner?.['data']);
    if (address) return address;
  }
  return undefined;
}
