import * as vscode from 'vscode';
import type { EditorMessage, EditorPart } from '../../chat/editorRequests/editorMessages.ts';
import type { Picture } from '../../relay/messages.ts';

/** Converts an editor message. Other roles count as `system`; unknown parts are dropped. */
export function readMessage({
  role,
  content,
}: Pick<vscode.LanguageModelChatRequestMessage, 'role' | 'content'>): EditorMessage {
  const { User, Assistant } = vscode.LanguageModelChatMessageRole;
  const name = role === User ? 'user' : role === Assistant ? 'assistant' : 'system';
  return { role: name, parts: content.flatMap(readPart) };
}

function readPart(part: unknown): EditorPart[] {
  if (part instanceof vscode.LanguageModelToolCallPart) {
    const { callId: id, name, input } = part;
    return [{ type: 'call', call: { id, name, arguments: JSON.stringify(input) } }];
  }
  if (part instanceof vscode.LanguageModelToolResultPart) {
    const text = part.content.map(textOf).join('');
    const images = part.content.flatMap((each) => pictureOf(each) ?? []);
    return [{ type: 'result', callId: part.callId, text, images }];
  }
  const image = pictureOf(part);
  if (image) return [{ type: 'image', image }];
  const text = textOf(part);
  return text ? [{ type: 'text', text }] : [];
}

function textOf(part: unknown): string {
  if (part instanceof vscode.LanguageModelTextPart) return part.value;
  if (part instanceof vscode.LanguageModelPromptTsxPart) return JSON.stringify(part.value);
  if (part instanceof vscode.LanguageModelDataPart && /^text\/|[/+]json$/.test(part.mimeType)) {
    return Buffer.from(part.data).toString();
  }
  return '';
}

function pictureOf(part: unknown): Picture | undefined {
  if (!(part instanceof vscode.LanguageModelDataPart) || !part.mimeType.startsWith('image/'))
    return undefined;
  return { mimeType: part.mimeType, data: Buffer.from(part.data).toString('base64') };
}
