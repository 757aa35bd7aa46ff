import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatNumber } from '../../base/text/format.ts';
import type { ProcessRule } from '../../platform/documents/processRule.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';

const customExample = { size: 800, overlap: 80 };
/** Chunk sizes in tokens. The upper limit is a server setting; this is its default. */
const sizes = { smallest: 50, largest: 4000 };

/** Asks for a new knowledge base's chunking. An undefined `rule` follows the setting. Undefined when dismissed. */
export async function chooseRule({
  settings,
}: Pick<KnowledgeCommandContext, 'settings'>): Promise<{ rule: ProcessRule | undefined } | undefined> {
  const picked = await vscode.window.showQuickPick(
    [
      {
        label: l10n.t('Use setting'),
        description: settings.get('knowledge.processRule').mode,
        detail: l10n.t('Follows the setting "switchboard.knowledge.processRule".'),
        mode: undefined,
      },
      {
        label: l10n.t('Automatic'),
        detail: l10n.t('Chosen by the platform.'),
        mode: 'automatic' as const,
      },
      {
        label: l10n.t('Custom…'),
        detail: l10n.t('Set the segment length and the overlap. Whitespace is preserved.'),
        mode: 'custom' as const,
      },
      {
        label: l10n.t('Parent and child chunks…'),
        detail: l10n.t(
          "Searches child chunks, returns the parent. Needs a newer platform. Can't be changed later.",
        ),
        mode: 'hierarchical' as const,
      },
    ],
    {
      title: l10n.t('Create Knowledge Base (3/4): Rules'),
      placeHolder: l10n.t('How should its documents be split into segments?'),
      ignoreFocusOut: true,
    },
  );
  switch (picked?.mode) {
    case 'automatic':
      return { rule: { mode: 'automatic' } };
    case 'custom':
      return askCustom();
    case 'hierarchical':
      return askHierarchical();
    default:
      return picked && { rule: undefined };
  }
}

async function askCustom(): Promise<{ rule: ProcessRule } | undefined> {
  const size = await askNumber(l10n.t('Max tokens per segment'), customExample.size, sizes.smallest);
  if (size === undefined) return undefined;
  const proposed = Math.min(customExample.overlap, Math.floor(size / 10));
  const overlap = await askNumber(l10n.t('Overlap (tokens)'), proposed, 0, size - 1);
  if (overlap === undefined) return undefined;
  const segmentation = { separator: '\n\n', max_tokens: size, chunk_overlap: overlap };
  return { rule: { mode: 'custom', rules: { pre_processing_rules: [], segmentation } } };
}

async function askHierarchical(): Promise<{ rule: ProcessRule } | undefined> {
  const parent = await askNumber(l10n.t('Max tokens per parent segment'), 1200, sizes.smallest);
  if (parent === undefined) return undefined;
  const proposed = Math.max(sizes.smallest, Math.floor(parent / 4));
  const child = await askNumber(l10n.t('Max tokens per child chunk'), proposed, sizes.smallest, parent);
  if (child === undefined) return undefined;
  return {
    rule: {
      mode: 'hierarchical',
      rules: {
        pre_processing_rules: [],
        parent_mode: 'paragraph',
        segmentation: { separator: '\n\n', max_tokens: parent },
        subchunk_segmentation: { separator: '\n', max_tokens: child },
      },
    },
  };
}

async function askNumber(
  title: string,
  value: number,
  smallest: number,
  largest = sizes.largest,
): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
    value: String(value),
    prompt: l10n.t('A whole number from {0} to {1}', formatNumber(smallest), formatNumber(largest)),
    ignoreFocusOut: true,
    validateInput: (text) =>
      isBetween(Number(text.trim() || Number.NaN), smallest, largest)
        ? undefined
        : l10n.t('A whole number from {0} to {1}', formatNumber(smallest), formatNumber(largest)),
  });
  const number = Number(typed?.trim() || Number.NaN);
  return isBetween(number, smallest, largest) ? number : undefined;
}

function isBetween(value: number, smallest: number, largest: number): boolean {
  return Number.isInteger(value) && value >= smallest && value <= largest;
}
