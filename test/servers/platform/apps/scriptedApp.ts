import type { Reply } from '../../http/reply.ts';
import type { AppStep } from './appStep.ts';
import type { FormEntry } from './inputForm.ts';
import type { AppFile } from './appRecords.ts';

/** The platform's word for the kind of an app. */
export type AppMode = 'chat' | 'agent-chat' | 'advanced-chat' | 'completion' | 'workflow';

/** What may be attached to a message. */
export interface FileUploadRule {
  readonly types: readonly string[];
  readonly extensions: readonly string[];
  readonly maxFiles: number;
}

/** A variable that a conversation of a chatflow keeps. */
export interface VariableSpec {
  readonly name: string;
  readonly description: string;
  readonly value: string | number;
}

/** An app of the sandbox. */
export interface ScriptedApp {
  readonly mode: AppMode;
  /** `app-…`, of this app alone. */
  readonly key: string;
  /** As people on the platform called it. */
  readonly name: string;
  /** What it does, for a person choosing one. */
  readonly describe: string;
  readonly tags?: readonly string[];
  /** It writes down recordings and reads its answers out. */
  readonly hasAudio?: boolean;
  /** Of its site: an emoji, or a picture, which is a teal disc. */
  readonly icon?: string | { readonly pictureId: string };
  readonly form?: readonly FormEntry[];
  readonly opening?: string;
  /** Shown with the opening. */
  readonly suggestedQuestions?: readonly string[];
  /** Asked for after an answer; without them that is switched off. */
  readonly followUps?: readonly string[];
  /** Nothing can be attached without. */
  readonly files?: FileUploadRule;
  readonly variables?: readonly VariableSpec[];
  /** By tool: an address, or an emoji with its background. */
  readonly toolIcons?: Readonly<Record<string, string | { content: string; background: string }>>;
  /** Of what is published; made from the key if it never changes. */
  readonly versionId?: string;
  /** Its configuration is missing, so that not even its parameters can be read. */
  readonly isBroken?: boolean;
  /** What it answers to every call that would make it work, or undefined. `attempt` counts such calls from 1. */
  refuse?(attempt: number): Reply | undefined;
  answer(turn: AppTurn): Iterable<AppStep>;
}

/** What an app is asked. */
export interface AppTurn {
  /** Empty in workflows. */
  readonly query: string;
  /** Checked against the form, defaults filled in, files as files. */
  readonly inputs: Readonly<Record<string, unknown>>;
  /** Attached to the message. */
  readonly files: readonly AppFile[];
  /** The conversation so far, oldest first. */
  readonly history: readonly { readonly query: string; readonly answer: string }[];
  readonly user: string;
  /** Of the conversation, by name; what the script writes here stays. */
  readonly variables: Map<string, string | number>;
  /** What was submitted to the form that the flow waited for last. */
  submitted?: { readonly action: string; readonly inputs: Readonly<Record<string, unknown>> };
  /** Origin of the platform, as the client wrote it. */
  readonly origin: string;
}
