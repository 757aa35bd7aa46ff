import * as vscode from 'vscode';
import { megabyte } from '../base/text/formatSize.ts';
import type { Log } from '../base/log.ts';
import type { ChatOptions } from '../chat/chatDependencies.ts';
import type { KnowledgeOptions } from '../knowledge/indexing/indexingSettings.ts';
import {
  readSetting,
  type SettingName,
  type SettingSchemas,
  settingSchemas,
  type SettingValue,
} from '../settings/readSetting.ts';

const section = 'switchboard';

/** Reads settings. A value of the wrong type counts as the default and is logged. */
export class Settings {
  readonly onDidChange: vscode.Event<(name: SettingName) => boolean>;

  private schemas: SettingSchemas | undefined;

  constructor(
    private readonly packageJson: unknown,
    private readonly log: Log,
  ) {
    this.onDidChange = (listener, thisArg, disposables) =>
      vscode.workspace.onDidChangeConfiguration(
        (change) => {
          if (change.affectsConfiguration(section)) {
            listener.call(thisArg, (name) => change.affectsConfiguration(`${section}.${name}`));
          }
        },
        undefined,
        disposables,
      );
  }

  get<N extends SettingName>(name: N): SettingValue<N> {
    const configuration = vscode.workspace.getConfiguration(section);
    const layers = configuration.inspect(name) ?? {};
    this.schemas ??= settingSchemas(this.packageJson);
    const { value, problem } = readSetting(name, this.schemas[name] ?? {}, layers, configuration.get(name));
    if (problem) this.log.warn(`Setting ${section}.${name} is not valid: ${problem}`);
    return value;
  }

  /** Writes to the scope whose value is in effect. */
  async set<N extends SettingName>(name: N, value: SettingValue<N>): Promise<void> {
    const configuration = vscode.workspace.getConfiguration(section);
    const target =
      configuration.inspect(name)?.workspaceValue === undefined
        ? vscode.ConfigurationTarget.Global
        : vscode.ConfigurationTarget.Workspace;
    await configuration.update(name, value, target);
  }
}

/** Timeouts in ms; 0 means none. */
export function readTimeouts(settings: Settings): {
  connectMs: number;
  firstTokenMs: number;
  idleMs: number;
} {
  return {
    connectMs: settings.get('network.connectTimeoutSeconds') * 1000,
    firstTokenMs: settings.get('network.firstTokenTimeoutSeconds') * 1000,
    idleMs: settings.get('network.idleTimeoutSeconds') * 1000,
  };
}

export function readChatOptions(settings: Settings): ChatOptions {
  const temperature = settings.get('chat.temperature');
  const maxTokens = settings.get('chat.maxTokens');
  const reasoningEffort = settings.get('chat.reasoningEffort');
  return {
    instructions: settings.get('chat.instructions'),
    stream: settings.get('chat.stream'),
    maxToolRounds: settings.get('chat.maxToolRounds'),
    fallbackModels: settings.get('chat.fallbackModels'),
    knowledgeSearch: settings.get('knowledge.search'),
    ...(temperature !== null && { temperature }),
    ...(maxTokens !== null && { maxTokens }),
    ...(reasoningEffort !== null && { reasoningEffort }),
  };
}

export function readKnowledgeOptions(settings: Settings): KnowledgeOptions {
  return {
    processRule: settings.get('knowledge.processRule'),
    technique: settings.get('knowledge.indexingTechnique'),
    concurrency: settings.get('knowledge.concurrency'),
    maxFileSizeBytes: settings.get('knowledge.maxFileSizeMb') * megabyte,
    exclude: settings.get('knowledge.exclude'),
  };
}
