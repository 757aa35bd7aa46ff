import * as z from 'zod/mini';
import type { StoredDataset, StoredDocument } from './storedDataset.ts';

/** Restricts a search by the documents' metadata. From the platform's source. */
export const metadataFilterSchema = z.object({
  logical_operator: z.nullish(z.enum(['and', 'or'])),
  conditions: z.nullish(
    z.array(
      z.object({
        name: z.string(),
        comparison_operator: z.string(),
        value: z.nullish(z.union([z.string(), z.number()])),
      }),
    ),
  ),
});

export function fitsFilter(dataset: StoredDataset, document: StoredDocument, sent: unknown): boolean {
  const { logical_operator: how, conditions } = metadataFilterSchema.safeParse(sent).data ?? {};
  if (!conditions || conditions.length === 0) return true;
  const holds = conditions.map(({ name, comparison_operator: comparison, value }) => {
    const field = dataset.metadata.find((one) => one.name === name);
    return compare(comparison, field && document.metadata.get(field.id), value ?? '');
  });
  return how === 'or' ? holds.includes(true) : !holds.includes(false);
}

function compare(
  comparison: string,
  own: string | number | null | undefined,
  value: string | number,
): boolean {
  if (comparison === 'empty') return own === undefined || own === null;
  if (own === undefined || own === null) return false;
  switch (comparison) {
    case 'not empty':
      return true;
    case 'contains':
      return String(own).includes(String(value));
    case 'not contains':
      return !String(own).includes(String(value));
    case 'start with':
      return String(own).startsWith(String(value));
    case 'end with':
      return String(own).endsWith(String(value));
    case 'is':
    case '=':
      return own === value;
    case 'is not':
    case '≠':
      return own !== value;
    case '>':
    case 'after':
      return Number(own) > Number(value);
    case '<':
    case 'before':
      return Number(own) < Number(value);
    case '≥':
      return Number(own) >= Number(value);
    case '≤':
      return Number(own) <= Number(value);
    default:
      return false;
  }
}
