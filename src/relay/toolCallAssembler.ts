import type { JsonObject } from '../base/json.ts';
import type { ToolCall } from './messages.ts';
import type { ToolCallFragment } from './protocols/wire.ts';

interface OpenCall {
  id: string;
  name: string;
  pieces: string[];
  extra?: JsonObject;
  whole: boolean;
}

/** Joins fragments by `index` (gaps are fine), or by a new id where it is missing or always 0. Keeps their order. */
export class ToolCallAssembler {
  private readonly calls: OpenCall[] = [];
  private readonly byIndex = new Map<number, OpenCall>();
  private latest: OpenCall | undefined;

  /** `newId` names calls without an id; unique, because later requests refer to it. */
  constructor(private readonly newId: () => string = () => `call_${crypto.randomUUID()}`) {}

  add(fragment: ToolCallFragment): void {
    const call = this.find(fragment) ?? this.open(fragment);
    // The first non-empty value counts: some vendors repeat it, others send "" later.
    call.id ||= fragment.id ?? '';
    call.name ||= fragment.name ?? '';
    if (fragment.extra) call.extra = { ...call.extra, ...fragment.extra };
    if (typeof fragment.arguments === 'string') {
      call.pieces.push(fragment.arguments);
    } else if (fragment.arguments) {
      call.pieces = [JSON.stringify(fragment.arguments)];
      call.whole = true;
    }
    this.latest = call;
  }

  /** Only after the end of the answer: even valid JSON may be a prefix. */
  finish(): ToolCall[] {
    const used = new Set<string>();
    return this.calls
      .map(({ id, name, pieces, extra }) => ({
        id,
        name,
        arguments: pieces.join(''),
        ...(extra && { extra }),
      }))
      .filter((call) => call.name || call.arguments)
      .map((call) => {
        // Two calls with one id can't both be answered.
        const id = call.id && !used.has(call.id) ? call.id : this.newId();
        used.add(id);
        return { ...call, id };
      });
  }

  private find(fragment: ToolCallFragment): OpenCall | undefined {
    const known =
      fragment.index !== undefined
        ? this.byIndex.get(fragment.index)
        : fragment.id
          ? this.calls.find((call) => call.id === fragment.id)
          : this.latest;
    return known && !beginsAnother(known, fragment) ? known : undefined;
  }

  private open(fragment: ToolCallFragment): OpenCall {
    const call: OpenCall = { id: '', name: '', pieces: [], whole: false };
    this.calls.push(call);
    if (fragment.index !== undefined) this.byIndex.set(fragment.index, call);
    return call;
  }
}

function beginsAnother(call: OpenCall, { id, name, arguments: args }: ToolCallFragment): boolean {
  if (id && call.id) return id !== call.id;
  if (name && call.name && name !== call.name) return true;
  return call.whole && args !== undefined && args !== '';
}
