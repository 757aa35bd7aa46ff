import type { AppRecord } from '../apps/appRegistry.ts';
import type { Question } from '../chat/calls/toolBox.ts';
import type { CodeUse, PathsFound } from '../shared/code.ts';
import type { Location, Connection, ToolCount } from '../shared/transcript.ts';
import type { ChangeHost } from './changeController.ts';
import type { ParameterHost } from './parameterController.ts';
import type { ModelHost } from './modelController.ts';
import type { PictureHost } from './pictureController.ts';
import type { StarterHost } from './starterController.ts';

/** Survives the window. `branchTarget` and `edits` are parsed where they are used. */
export type PanelMemory = ModelHost['memory'] & { draft: string; branchTarget: unknown; edits: unknown };

export interface PanelHost
  extends ChangeHost, ModelHost, PictureHost, StarterHost, Omit<ParameterHost, 'nameOf'> {
  connection(): Connection;
  readonly memory: PanelMemory;
  connectRelay(modelId?: string): void;
  openRelaySite(modelId: string | undefined): void;
  addApp(): void;
  changeAppKey(app: AppRecord): void;
  openPlatform(address: string): void;
  openSettings(of?: 'proxy' | 'network'): void;
  diagnoseConnection(): void;
  showLog(): void;
  questionOf(callId: string): Question | undefined;
  answerTool(
    callId: string,
    decision: 'allow' | 'always' | 'wider' | 'deny',
    reason: string | undefined,
  ): void;
  /** Tells the editor whether keys are for the question on screen. */
  setQuestionFocused(hasFocus: boolean): void;
  /** Marks the question's preview as fully shown, so the call can be allowed. */
  unfoldTool(callId: string): void;
  showProposal(callId: string, path: string): void;
  showTerminal(callId: string): void;
  openLocation(location: Location): void;
  chooseTools(): void;
  trustWorkspace(): void;
  toolCount(): ToolCount;
  openLink(href: string): void;
  copyText(text: string): void;
  insertText(text: string): void;
  useCode(use: CodeUse): void;
  findPaths(paths: readonly string[]): Promise<PathsFound>;
}
