import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { formatTokens } from '../../base/text/formatUsage.ts';
import type { FileChange } from '../../clients/clientFiles.ts';
import type {
  ClientModel,
  GatewayAuth,
  KeyPlace,
  NamedProgram,
  Target,
} from '../../clients/clientProgram.ts';
import type { ClientDialogs, FoundProgram } from '../../clients/configureClient.ts';
import { maskedKey } from '../../connections/connectionLink.ts';
import { closeDiff, showDiff } from '../approvals/proposalDiffs.ts';
import { clientScheme } from '../ids.ts';
import { confirmModal } from '../ui/modals.ts';

/** Proposed limits of a model if neither the relay nor the user gave any; most current models have them. */
const usualLimits = { contextWindow: 128_000, maxTokens: 8192 };

export function createClientDialogs(
  relay: { baseUrl: string; key: string },
  models: readonly ClientModel[],
  selected: string | undefined,
): ClientDialogs {
  return {
    chooseModels: (program) => chooseModels(program, models, selected),

    async askLimits(model) {
      const title = l10n.t('Limits of {0}', model.name);
      const contextWindow =
        model.contextWindow ??
        (await askTokens(title, l10n.t('Context window in tokens'), usualLimits.contextWindow));
      if (contextWindow === undefined) return undefined;
      const maxTokens =
        model.maxTokens ??
        (await askTokens(
          title,
          l10n.t('Max output tokens. Sent with each request: relays charge a larger limit in advance'),
          Math.min(usualLimits.maxTokens, contextWindow),
        ));
      return maxTokens === undefined ? undefined : { ...model, contextWindow, maxTokens };
    },

    async chooseAuth() {
      const items: (vscode.QuickPickItem & { auth: GatewayAuth })[] = [
        {
          label: 'api-key',
          detail: l10n.t("Follows the model's protocol (gateway default)"),
          auth: 'api-key',
        },
        { label: 'bearer', detail: l10n.t('Always in the Authorization header'), auth: 'bearer' },
      ];
      return (await pick(items, l10n.t('Authentication'), ''))?.auth;
    },

    chooseKeyPlace,

    confirmKeyInFile: (files) =>
      confirmModal(
        l10n.t('Write the key to {0}?', files[0]?.path ?? ''),
        l10n.t('Write Key'),
        l10n.t(
          'The key {0} will be readable in this file, in its backups, and wherever the file is synced. An environment variable keeps it out of files.',
          maskedKey(relay.key),
        ),
      ),

    confirmChanges: (program, changes) => confirmChanges(program, changes, relay.key),
  };
}

/** @param key masked in the diff */
export async function confirmChanges(
  program: NamedProgram,
  changes: readonly FileChange[],
  key?: string,
): Promise<boolean> {
  const diffs = new ClientDiffs(key);
  try {
    await diffs.show(changes);
    const apply: vscode.QuickPickItem = {
      label: l10n.t('Apply'),
      detail: changes.map(describeChange).join(' '),
    };
    const cancel = { label: l10n.t('Cancel') };
    const title = l10n.t('Configure {0}: Review Changes', program.name);
    return (await pick([apply, cancel], title, l10n.t('The diff shows what will be written'))) === apply;
  } finally {
    await diffs.close();
  }
}

async function chooseModels(
  program: FoundProgram['program'],
  models: readonly ClientModel[],
  selected: string | undefined,
): Promise<Target['models'] | undefined> {
  const title = l10n.t('Configure {0}: Models', program.name);
  if (models.length === 0) return askModelId(title);
  const items = models
    .toSorted((a, b) => Number(b.id === selected) - Number(a.id === selected))
    .map((model) => ({
      label: model.name,
      ...(model.name !== model.id && { description: model.id }),
      model,
    }));
  if (!program.hasManyModels) {
    const placeHolder = l10n.t('Select the model that {0} uses', program.name);
    const picked = await pick(items, title, placeHolder);
    return picked && [picked.model];
  }
  const several = await vscode.window.showQuickPick(
    items.map((item) => ({ ...item, picked: item.model.id === selected })),
    {
      title,
      ignoreFocusOut: true,
      canPickMany: true,
      matchOnDescription: true,
      placeHolder: l10n.t('Select the models that {0} offers', program.name),
    },
  );
  return (
    several &&
    chooseDefault(
      several.map(({ model }) => model),
      title,
    )
  );
}

async function chooseKeyPlace(
  { program, files }: FoundProgram,
  variable: string,
): Promise<KeyPlace | undefined> {
  const { name } = program;
  const path = files[0]?.path ?? '';
  const isFileNeeded = program.variables === undefined;
  const texts: Record<KeyPlace, { label: string; detail: string }> = {
    environment: {
      label: l10n.t('Environment Variable {0}', variable),
      detail: l10n.t('You set it in your shell. The key is in no file.'),
    },
    terminal: {
      label: l10n.t('Open a Terminal with the Key Set'),
      detail: isFileNeeded
        ? l10n.t('{0} refers to the variable {1}, which is set only in that terminal.', path, variable)
        : l10n.t('Changes no files: the key is set only in that terminal.'),
    },
    file: {
      label: l10n.t('Key in the File'),
      detail: l10n.t('The key is written to {0} as plain text.', path),
    },
  };
  const items = program.keyPlaces.map((place) => ({ ...texts[place], place }));
  return (await pick(items, l10n.t('Configure {0}: Key', name), l10n.t('Select where the key is kept')))
    ?.place;
}

/** Relays without a model list still serve models. */
async function askModelId(title: string): Promise<Target['models'] | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
    ignoreFocusOut: true,
    prompt: l10n.t('The relay lists no models. Enter a model ID.'),
  });
  const id = typed?.trim();
  return id ? [{ id, name: id }] : undefined;
}

async function chooseDefault(
  models: readonly ClientModel[],
  title: string,
): Promise<Target['models'] | undefined> {
  const [first, ...others] = models;
  if (!first || others.length === 0) return first && [first];
  const items = models.map((model) => ({ label: model.name, model }));
  const picked = await pick(items, title, l10n.t('Select the default model'));
  return picked && [picked.model, ...models.filter((model) => model !== picked.model)];
}

async function askTokens(title: string, prompt: string, value: number): Promise<number | undefined> {
  const typed = await vscode.window.showInputBox({
    title,
    prompt,
    value: String(value),
    ignoreFocusOut: true,
    validateInput: (text) =>
      /^[1-9]\d{0,8}$/.test(text.trim())
        ? undefined
        : l10n.t('Enter a number of tokens, such as {0}.', formatTokens(value)),
  });
  return typed === undefined ? undefined : Number(typed.trim());
}

function describeChange({ path, before }: FileChange): string {
  return before ? l10n.t('Writes {0} and keeps a backup next to it.', path) : l10n.t('Creates {0}.', path);
}

export async function pick<T extends vscode.QuickPickItem>(
  items: readonly T[],
  title: string,
  placeHolder: string,
): Promise<T | undefined> {
  return vscode.window.showQuickPick(items, {
    title,
    placeHolder,
    ignoreFocusOut: true,
    matchOnDescription: true,
  });
}

/** Diffs of other programs' files. The key is masked, since other extensions can read documents. */
export class ClientDiffs {
  private readonly texts = new Map<string, string>();
  private readonly provider = vscode.workspace.registerTextDocumentContentProvider(clientScheme, {
    provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
  });
  private readonly shown: vscode.Uri[] = [];

  constructor(private readonly key?: string) {}

  /** In a group below, which quick picks don't cover. The editor removes the group with its last tab. */
  async show(changes: readonly FileChange[]): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.newGroupBelow');
    for (const { path, before, after } of changes.toReversed()) {
      const file = vscode.Uri.file(path).path;
      const sides = {
        before: this.side('before', file, before),
        after: this.side('after', file, after),
        title: l10n.t('{0} (proposed)', path),
      };
      this.shown.push(sides.after);
      await showDiff(sides, { preview: changes.length === 1, preserveFocus: true });
    }
  }

  async close(): Promise<void> {
    for (const uri of this.shown) await closeDiff(uri);
    this.provider.dispose();
  }

  private side(name: string, path: string, bytes: Buffer = Buffer.alloc(0)): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: clientScheme, path: `/${name}${path}` });
    const text = bytes.toString('utf8');
    this.texts.set(uri.toString(), this.key ? text.replaceAll(this.key, maskedKey(this.key)) : text);
    return uri;
  }
}
