import { findFence } from '../../chat/codeBlocks/fencedCode.ts';
import type { CodeUse } from '../../shared/code.ts';
import type { UseCodeDependencies } from './useCodeContext.ts';

/** Uses a code block as its button says. Returns the problem, if any. */
export async function useCode(
  deps: UseCodeDependencies,
  { id, action, code, language }: CodeUse,
): Promise<string | undefined> {
  const item = deps.chat.shown.conversation.all.find((each) => each.id === id);
  const text = item?.type === 'answer' ? [item.text, item.reasoning] : [];
  const found = text.map((each) => findFence(each, code)).find((fence) => fence !== undefined);
  const block = { ...(found ?? { info: '', before: '' }), code, language };
  switch (action) {
    case 'apply':
      return (await import('./applyCode.ts')).applyCode(deps, block);
    case 'create':
      return (await import('./createFileFromCode.ts')).createFileFromCode(deps, block);
    case 'run':
      return (await import('./runCode.ts')).runCode(deps, block);
  }
}
