import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { namedFiles } from '../../chat/codeBlocks/namedFiles.ts';
import type { Verdict } from '../../tools/policy/verdict.ts';
import { makeCodeEdit } from './codeEdits.ts';
import type { CodeBlock, UseCodeDependencies } from './useCodeContext.ts';

/** Asks for a path, prefilled with the one that the answer names, and creates the file with the code. */
export async function createFileFromCode(
  deps: UseCodeDependencies,
  block: CodeBlock,
): Promise<string | undefined> {
  const { policy } = (await deps.tools()).dependencies;
  const { title, mentioned, code } = namedFiles(block, block.code);
  const judge = (path: string): Promise<Verdict> => policy.check(path.trim(), 'create');
  const paths = [title, ...mentioned].filter((path) => path !== undefined);
  const free = await Promise.all(
    paths.map(async (path) => ((await judge(path)).isAllowed ? path : undefined)),
  );
  const value = free.find((path) => path !== undefined) ?? paths[0] ?? '';
  const chosen = await vscode.window.showInputBox({
    title: l10n.t('Create File'),
    prompt: l10n.t('Path in the workspace'),
    value,
    valueSelection: [value.lastIndexOf('/') + 1, value.length],
    ignoreFocusOut: true,
    validateInput: async (path) => {
      if (path.trim() === '') return undefined;
      const verdict = await judge(path);
      return verdict.isAllowed ? undefined : verdict.forUser;
    },
  });
  if (!chosen?.trim()) return undefined;
  const file = await judge(chosen);
  if (!file.isAllowed) return file.forUser;
  return makeCodeEdit(deps, { file, before: undefined, after: code.endsWith('\n') ? code : `${code}\n` });
}
