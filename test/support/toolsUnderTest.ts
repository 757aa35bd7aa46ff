import { ToolApprovals } from '../../src/chat/calls/toolApprovals.ts';
import { createToolBox } from '../../src/chat/calls/toolBox.ts';
import type { ChatDependencies } from '../../src/chat/chatDependencies.ts';
import { createToolDependencies, workspaceTools } from '../../src/tools/allTools.ts';
import { ruleIn } from '../../src/tools/otherTools.ts';
import type { Tool } from '../../src/tools/tool.ts';
import { ToolSet } from '../../src/tools/toolSet.ts';
import { MemoryWorkspace } from './memoryWorkspace.ts';

export function toolsUnderTest(
  files: Record<string, string>,
  {
    rules = {},
    more = [],
  }: { rules?: Record<string, 'allow' | 'ask' | 'deny'>; more?: readonly Tool[] } = {},
) {
  const workspace = new MemoryWorkspace(files);
  const deps = createToolDependencies(workspace, { workerFile: '', ripgrep: undefined, timeoutMs: 1000 });
  const approvals = new ToolApprovals((tool) => ruleIn(rules, tool));
  const tools: ChatDependencies['tools'] = async ({ conversationId, journal, permissions }) =>
    createToolBox(
      () => new ToolSet([...workspaceTools(deps), ...more]),
      approvals.forConversation(conversationId),
      permissions,
      (signal) => ({ signal, journal }),
    );
  const question = async () => {
    // Covers lazy loading on a busy machine.
    for (const deadline = Date.now() + 30_000; ;) {
      const [pending] = approvals.pending;
      if (pending) return pending.question;
      if (Date.now() > deadline) throw new Error('nothing was asked');
      await new Promise(setImmediate);
    }
  };
  return { workspace, dependencies: deps, approvals, tools, question };
}
