import assert from 'node:assert/strict';
import * as vscode from 'vscode';

export interface Said {
  role?: 'user' | 'assistant';
  text?: string;
  png?: Uint8Array;
  calls?: { id: string; name: string; input: object }[];
  results?: { id: string; text: string }[];
}

export interface Answered {
  text: string;
  calls: { id: string; name: string; input: object }[];
  error?: { code?: string; message: string; isKind: boolean };
}

export interface ModelUser {
  models(): Promise<{ id: string; name: string; family: string; vendor: string; maxInputTokens: number }[]>;
  count(id: string, text: string): Promise<number>;
  ask(
    id: string,
    messages: readonly Said[],
    options?: { tools?: object[]; isRequired?: boolean; stopsAtText?: boolean },
  ): Promise<Answered>;
  tools(): string[];
  call(name: string, input: object): Promise<{ text?: string; error?: string }>;
}

export async function startModelUser(): Promise<ModelUser> {
  const extension = vscode.extensions.getExtension('switchboard.model-user');
  assert.ok(extension, 'the other extension is there');
  return (await extension.activate()) as ModelUser;
}
