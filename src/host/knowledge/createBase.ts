import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isCancelled } from '../../base/errors/errors.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import type { Dataset, IndexingTechnique, PlatformModel } from '../../platform/records.ts';
import { tellError } from '../ui/tellError.ts';
import { withProgress } from '../ui/withProgress.ts';
import { choosePermission } from './choosePermission.ts';
import { chooseRule } from './chooseRule.ts';
import type { KnowledgeCommandContext } from './knowledgeCommandContext.ts';

const longestName = 40;

interface Technique {
  technique: IndexingTechnique;
  embeddingModel?: { provider: string; model: string };
}

export async function createBase(context: KnowledgeCommandContext): Promise<Dataset | undefined> {
  const { knowledge, memory, access } = context;
  const name = await askName(context, l10n.t('Create Knowledge Base (1/4): Name'), '');
  if (name === undefined) return undefined;
  const technique = await chooseTechnique(context);
  if (!technique) return undefined;
  const rule = await chooseRule(context);
  if (!rule) return undefined;
  const visibility = await choosePermission(context, l10n.t('Create Knowledge Base (4/4): Visibility'));
  if (!visibility) return undefined;
  try {
    const dataset = await withProgress(context.notifications, l10n.t('Creating {0}…', name), (signal) =>
      knowledge.bases.create({ name, ...visibility, ...technique }, signal),
    );
    memory.setProcessRule(access.origin, dataset.id, rule.rule);
    memory.useBase(access.origin, dataset.id);
    return dataset;
  } catch (error) {
    tellError(context.notifications, error);
    return undefined;
  }
}

export async function askName(
  { knowledge }: KnowledgeCommandContext,
  title: string,
  value: string,
): Promise<string | undefined> {
  const taken = new Set(
    knowledge.bases.state.datasets.map(({ name }) => name).filter((name) => name !== value),
  );
  const typed = await vscode.window.showInputBox({
    title,
    value,
    prompt: l10n.t('Maximum {0} characters', longestName),
    ignoreFocusOut: true,
    validateInput(text) {
      const name = text.trim();
      if (!name) return undefined;
      if (name.length > longestName) {
        return tooLong(name.length - longestName);
      }
      return taken.has(name) ? l10n.t('A knowledge base with this name already exists.') : undefined;
    },
  });
  return typed?.trim() || undefined;
}

export async function chooseTechnique(
  { client, settings, notifications }: Pick<KnowledgeCommandContext, 'client' | 'settings' | 'notifications'>,
  current?: IndexingTechnique,
): Promise<Technique | undefined> {
  const models = await withProgress(
    notifications,
    l10n.t('Loading embedding models…'),
    (signal) => client.models('text-embedding', signal),
    vscode.ProgressLocation.Window,
  ).then(
    (all) => all.filter(({ isActive }) => isActive),
    (error: unknown) => {
      if (isCancelled(error)) throw error;
      // A server that doesn't report its models may still have one, and refuses if not.
      return undefined;
    },
  );
  const economical = {
    label: l10n.t('Economical'),
    detail: l10n.t('Keyword search. No embedding model needed.'),
    technique: 'economical' as const,
  };
  const preferred = current ?? settings.get('knowledge.indexingTechnique');
  const hasNoModel = models?.length === 0;
  const offered = hasNoModel ? [economical] : [highQuality(models), economical];
  const picked = await vscode.window.showQuickPick(
    offered.toSorted((a, b) => Number(b.technique === preferred) - Number(a.technique === preferred)),
    {
      title: current ? l10n.t('Indexing') : l10n.t('Create Knowledge Base (2/4): Indexing'),
      placeHolder: hasNoModel
        ? l10n.t('The platform has no embedding model, so only keyword search is available')
        : l10n.t('How should its documents be searched?'),
      ignoreFocusOut: true,
    },
  );
  if (!picked) return undefined;
  const { technique } = picked;
  if (technique !== 'high_quality' || !models || models.length < 2) return { technique };
  const model = await chooseModel(models);
  return model && { technique, embeddingModel: { provider: model.provider, model: model.model } };
}

function highQuality(models: readonly PlatformModel[] | undefined) {
  const detail = l10n.t('Semantic search. Embedding may incur cost.');
  const [only, another] = models ?? [];
  return {
    label: l10n.t('High Quality'),
    ...(only && !another && { description: only.label }),
    detail,
    technique: 'high_quality' as const,
  };
}

async function chooseModel(models: readonly PlatformModel[]): Promise<PlatformModel | undefined> {
  const picked = await vscode.window.showQuickPick(
    models.map((model) => ({ label: model.label, description: model.provider, model })),
    { title: l10n.t('Embedding Model'), matchOnDescription: true, ignoreFocusOut: true },
  );
  return picked?.model;
}

export function tooLong(excess: number): string {
  return plural(
    excess,
    l10n.t('This is 1 character too long.'),
    l10n.t('This is {0} characters too long.', formatNumber(excess)),
  );
}
