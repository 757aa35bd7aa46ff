import type { ModelForm } from '../profile/modelFacts.ts';
import type { Model, ModelKind, Protocol } from '../messages.ts';

export interface ModelOverride {
  id: string;
  name?: string | undefined;
  contextWindow?: number | undefined;
  maxTokens?: number | undefined;
  toolCalling?: boolean | undefined;
  vision?: boolean | undefined;
  reasoning?: boolean | undefined;
  protocol?: Protocol | undefined;
  kind?: ModelKind | undefined;
  body?: Readonly<Record<string, unknown>> | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  form?: ModelForm | undefined;
}

/** Overrides win, and models missing from the list are appended. */
export function mergeModels(listed: readonly Model[], overrides: readonly ModelOverride[]): Model[] {
  const merged = new Map(listed.map((model) => [model.id, model]));
  for (const override of overrides) {
    const id = override.id.trim();
    if (!id) continue;
    const { body: _body, headers: _headers, form: _form, ...fields } = override;
    const base = merged.get(id) ?? withKnown({ id, name: id, vendor: prefixOf(id) });
    merged.set(id, { ...base, ...withKnown({ ...fields, id, name: override.name || base.name }) });
  }
  return [...merged.values()];
}

export function prefixOf(id: string): string | undefined {
  const slash = id.indexOf('/');
  return slash > 0 ? id.slice(0, slash) : undefined;
}

/** Omits undefined fields, so that spreading never erases known ones. */
export function withKnown<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T;
}
