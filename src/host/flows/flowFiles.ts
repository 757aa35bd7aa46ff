import { basename } from 'node:path';
import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable.ts';
import { hashOfDsl } from '../../flows/flowState.ts';
import type { FoundIssue } from '../../flows/flowProblems.ts';
import { flowScheme } from '../ids.ts';
import { FlowRuns } from './run/flowRuns.ts';

export interface Flows {
  files(): Promise<FlowFiles>;
  decorate(): Promise<unknown>;
  watch(): Promise<unknown>;
}

/** By file: what this window has seen of DSL files on their platforms, and of their runs. */
export class FlowFiles implements Disposable {
  readonly runs = new FlowRuns();
  private readonly parts = new DisposableStore();
  private readonly states = this.parts.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChangeState = this.states.event;
  private readonly contents = this.parts.add(new vscode.EventEmitter<vscode.Uri>());
  readonly onDidChangeContents = this.contents.event;
  /** Hashes. */
  private readonly drafts = new Map<string, string>();
  private readonly compared = new Map<string, string>();
  private readonly missing = new Map<string, ReadonlySet<string>>();
  private readonly issues = new Map<string, readonly FoundIssue[]>();
  private provider: vscode.Disposable | undefined;
  private readonly texts = new Map<string, string>();
  private count = 0;

  noteDraft(uri: vscode.Uri, text: string): void {
    this.drafts.set(uri.toString(), hashOfDsl(text));
    this.states.fire(uri);
  }

  forgetDraft(uri: vscode.Uri): void {
    this.drafts.delete(uri.toString());
    this.states.fire(uri);
  }

  draftHash(uri: vscode.Uri): string | undefined {
    return this.drafts.get(uri.toString());
  }

  saved(uri: vscode.Uri): void {
    this.states.fire(uri);
  }

  noteMissingPlugins(uri: vscode.Uri, names: readonly string[]): void {
    if (names.length === 0 && !this.missing.has(uri.toString())) return;
    this.missing.set(uri.toString(), new Set(names));
    this.contents.fire(uri);
  }

  missingPlugins(uri: vscode.Uri): ReadonlySet<string> | undefined {
    return this.missing.get(uri.toString());
  }

  noteIssues(uri: vscode.Uri, found: readonly FoundIssue[]): void {
    if (found.length === 0 && !this.issues.has(uri.toString())) return;
    this.issues.set(uri.toString(), found);
    this.contents.fire(uri);
  }

  issuesOf(uri: vscode.Uri): readonly FoundIssue[] | undefined {
    return this.issues.get(uri.toString());
  }

  platformDocument(uri: vscode.Uri, text: string): vscode.Uri {
    this.compared.set(uri.toString(), hashOfDsl(text));
    this.provider ??= this.provideTexts();
    const path = `/${++this.count}/${basename(uri.path)}`;
    const document = vscode.Uri.from({ scheme: flowScheme, path });
    this.texts.set(document.toString(), text);
    return document;
  }

  hasCompared(uri: vscode.Uri, platformText: string): boolean {
    return this.compared.get(uri.toString()) === hashOfDsl(platformText);
  }

  dispose(): void {
    this.runs.dispose();
    this.parts.dispose();
  }

  private provideTexts(): vscode.Disposable {
    this.parts.add(vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())));
    return this.parts.add(
      vscode.workspace.registerTextDocumentContentProvider(flowScheme, {
        provideTextDocumentContent: (uri) => this.texts.get(uri.toString()) ?? '',
      }),
    );
  }
}
