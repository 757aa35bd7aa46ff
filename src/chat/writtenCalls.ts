import type { ToolCall } from '../relay/messages.ts';

/**
 * Some models write their calls into the text instead of making them. The forms known here are recognised only
 * when they are complete and name a tool that was offered; the rest of the text stays as it is.
 */
export function takeWrittenCalls(
  text: string,
  offered: ReadonlySet<string>,
  newId: () => string,
): { text: string; calls: ToolCall[] } {
  const calls: ToolCall[] = [];
  let rest = text;
  for (const { pattern, read } of forms) {
    rest = rest.replace(pattern, (whole, ...groups) => {
      const found = read(groups.map(String));
      if (found.length === 0 || found.some(({ name }) => !offered.has(name))) return whole;
      calls.push(...found.map((call) => ({ id: newId(), ...call })));
      return '';
    });
  }
  return { text: calls.length > 0 ? rest.replace(emptyBrackets, '').trim() : text, calls };
}

type WrittenCall = Omit<ToolCall, 'id'>;

interface Form {
  pattern: RegExp;
  read(groups: string[]): WrittenCall[];
}

const forms: Form[] = [
  // Hermes, Qwen: <tool_call>{"name": …, "arguments": {…}}</tool_call>
  { pattern: /<tool_call>\s*(\{[\s\S]*?\})\s*<\/tool_call>/g, read: ([json = '']) => fromJson(json) },
  // Mistral: [TOOL_CALLS] [{"name": …, "arguments": {…}}]
  { pattern: /\[TOOL_CALLS\]\s*(\[[\s\S]*\])/g, read: ([json = '']) => fromJson(json) },
  // Qwen coder, Llama: <function=name><parameter=key>value</parameter></function>, sometimes in <tool_call>
  {
    pattern: /(?:<tool_call>\s*)?<function=([\w-]+)>([\s\S]*?)<\/function>(?:\s*<\/tool_call>)?/g,
    read: ([name = '', body = '']) => [{ name, arguments: JSON.stringify(parameters(body)) }],
  },
  // DeepSeek: <｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>name\n```json\n{…}\n```<｜tool▁call▁end｜>…
  {
    pattern:
      /<｜tool▁call▁begin｜>(?:function)?<｜tool▁sep｜>([\w-]+)\s*(?:```json)?\s*(\{[\s\S]*?\})\s*(?:```)?\s*<｜tool▁call▁end｜>/g,
    read: ([name = '', json = '']) => [{ name, arguments: json }],
  },
];

/** DeepSeek's brackets around all calls, empty once these are taken out. */
const emptyBrackets = /<｜tool▁calls▁(?:begin|end)｜>/g;

function fromJson(text: string): WrittenCall[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return [];
  }
  return (Array.isArray(value) ? value : [value]).flatMap((call: unknown) => {
    if (typeof call !== 'object' || call === null || !('name' in call) || typeof call.name !== 'string')
      return [];
    const given: unknown = 'arguments' in call ? call.arguments : 'parameters' in call ? call.parameters : {};
    return [{ name: call.name, arguments: typeof given === 'string' ? given : JSON.stringify(given) }];
  });
}

/** Values are JSON where they parse as such, text otherwise: `<parameter=line>4` is the number 4. */
function parameters(body: string): Record<string, unknown> {
  const found: Record<string, unknown> = {};
  for (const [, key = '', value = ''] of body.matchAll(
    /<parameter=([\w-]+)>\n?([\s\S]*?)\n?<\/parameter>/g,
  )) {
    try {
      found[key] = JSON.parse(value);
    } catch {
      found[key] = value;
    }
  }
  return found;
}
