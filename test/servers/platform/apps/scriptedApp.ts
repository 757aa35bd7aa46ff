import type { Reply } from '../../http/reply.ts';
import type { AppStep } from './appStep.ts';
import type { FormEntry } from './inputForm.ts';
import type { AppFile, VariableValue } from './appRecords.ts';

export type AppMode = 'chat' | 'agent-chat' | 'advanced-chat' | 'completion' | 'workflow';

export interface FileUploadRule {
  readonly types: readonly string[];
  readonly extensions: readonly string[];
  readonly maxFiles: number;
}

export interface VariableSpec {
  readonly name: string;
  readonly description: string;
  /** Decides the type, which the platform checks new values by. */
  readonly value: VariableValue;
}

export interface ScriptedApp {
  readonly mode: AppMode;
  readonly key: string;
  readonly name: string;
  /** A description for a person choosing one. */
  readonly describe: string;
  readonly tags?: readonly string[];
  /** Transcribes recordings and reads its answers out. */
  readonly hasAudio?: boolean;
  /** The site's icon: an emoji, or a picture, which is a teal disc. */
  readonly icon?: string | { readonly pictureId: string };
  readonly form?: readonly FormEntry[];
  readonly opening?: string;
  readonly suggestedQuestions?: readonly string[];
  /** Suggestions after an answer; without them the feature is off. */
  readonly followUps?: readonly string[];
  /** Without it nothing can be attached. */
  readonly files?: FileUploadRule;
  /** Annotations answer questions like theirs. */
  readonly repliesByAnnotation?: boolean;
  readonly variables?: readonly VariableSpec[];
  /** By tool: an address, or an emoji with its background. */
  readonly toolIcons?: Readonly<Record<string, string | { content: string; background: string }>>;
  /** Id of the published version; derived from the key if it never changes. */
  readonly versionId?: string;
  /** The configuration is missing, so that even its parameters can't be read. */
  readonly isBroken?: boolean;
  /** Refuses calls that make the app work; undefined lets them pass. `attempt` counts from 1. */
  refuse?(attempt: number): Reply | undefined;
  answer(turn: AppTurn): Iterable<AppStep>;
}

export interface AppTurn {
  /** Empty in workflows. */
  readonly query: string;
  /** Checked against the form, with defaults and files. */
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly files: readonly AppFile[];
  /** Oldest first. */
  readonly history: readonly { readonly query: string; readonly answer: string }[];
  readonly user: string;
  /** The conversation's variables, by name; the script's changes are stored. */
  readonly variables: Map<string, VariableValue>;
  /** The last form that the flow waited for. */
  submitted?: { readonly action: string; readonly inputs: Readonly<Record<string, unknown>> };
  /** Origin of the platform, as the client wrote it. */
  readonly origin: string;
}
