import type { ModelOption, Models } from '../shared/transcript.ts';

export interface ModelGroup {
  /** A vendor's name; all but `vendor` are named by who shows them. */
  readonly kind: 'favourites' | 'vendor' | 'others' | 'apps';
  readonly name: string;
  readonly options: readonly ModelOption[];
}

/**
 * What matches: favourites first, then models by vendor as they were listed, then those nobody named a vendor of, then
 * apps.
 */
export function groupModels(models: Models, filter: string): ModelGroup[] {
  const matching = models.options.filter((option) => isMatch(option, filter));
  const favourites = new Set(models.favourites);
  const rest = matching.filter(({ id, vendor }) => !vendor && !favourites.has(id));
  const byVendor = new Map<string, ModelOption[]>();
  for (const option of matching) {
    if (!option.vendor || favourites.has(option.id)) continue;
    const known = byVendor.get(option.vendor);
    if (known) known.push(option);
    else byVendor.set(option.vendor, [option]);
  }
  const groups: ModelGroup[] = [
    { kind: 'favourites', name: '', options: matching.filter(({ id }) => favourites.has(id)) },
    ...[...byVendor].map(([name, options]) => ({ kind: 'vendor' as const, name, options })),
    { kind: 'others', name: '', options: rest.filter(({ app }) => !app) },
    { kind: 'apps', name: '', options: rest.filter(({ app }) => app) },
  ];
  return groups.filter(({ options }) => options.length > 0);
}

/** Whether every word of the filter occurs in the model's name, id or vendor, or in the app's name or kind. */
function isMatch({ id, name, vendor, app }: ModelOption, filter: string): boolean {
  const text = (app ? `${name} ${app}` : `${name} ${id} ${vendor ?? ''}`).toLowerCase();
  return filter
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}
