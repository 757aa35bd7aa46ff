import { AttachmentList } from '../../src/chat/attachments/attachmentList.ts';
import type { AttachmentTarget } from '../../src/chat/attachments/attachmentTarget.ts';
import { AttachmentReader } from '../../src/chat/attachments/readAttachment.ts';
import { MentionFinder } from '../../src/chat/mentions/mentionFinder.ts';
import { AttachmentController } from '../../src/panel/attachmentController.ts';
import { FilePolicy } from '../../src/tools/policy/filePolicy.ts';
import { FileTexts } from '../../src/tools/files/fileTexts.ts';
import type { FileQuery, FileSearch } from '../../src/tools/search/fileSearch.ts';
import type { FoundFile } from '../../src/tools/search/searchJob.ts';
import type { ToolDependencies } from '../../src/tools/toolDependencies.ts';
import { NewErrors } from '../../src/tools/edits/newErrors.ts';
import { MemoryWorkspace } from './memoryWorkspace.ts';
import type { MemoryEntry } from './memoryFiles.ts';

/** Dependencies of tools over a memory workspace; files are listed without a worker. */
export function memoryDependencies(workspace: MemoryWorkspace): ToolDependencies {
  const policy = new FilePolicy(workspace.files, { platform: 'linux' });
  const texts = new FileTexts(workspace, policy);
  const search = {
    async run({ path }: FileQuery, _signal: AbortSignal, found?: (files: FoundFile[]) => void) {
      const run = policy.start();
      const folder = await run.check(path ?? '/work', 'list');
      if (!folder.isAllowed) return folder;
      const below = [...workspace.memory.entries.keys()].filter((each) =>
        each.startsWith(`${folder.realPath}/`),
      );
      const verdicts = await Promise.all(below.toSorted().map((each) => run.check(each, 'read')));
      const files = verdicts.flatMap((verdict) =>
        verdict.isAllowed ? [{ shown: verdict.shown, realPath: verdict.realPath, matches: [] }] : [],
      );
      const withheld = new Map<string, number>();
      for (const verdict of verdicts)
        if (!verdict.isAllowed) withheld.set(verdict.reason, (withheld.get(verdict.reason) ?? 0) + 1);
      const summary = { hasMore: false, withheld, links: 0, unreadableFolders: 0, largeFiles: 0 };
      found?.(files);
      return { files: found ? [] : files, summary, isPartial: false };
    },
  } as unknown as FileSearch;
  return { workspace, policy, texts, search, newErrors: new NewErrors(workspace.languages) };
}

export function attachmentParts(entries: Record<string, MemoryEntry> = {}) {
  const workspace = new MemoryWorkspace(entries);
  const dependencies = memoryDependencies(workspace);
  const store: { attachments: unknown } = { attachments: undefined };
  let ids = 0;
  const reader = new AttachmentReader(() => dependencies);
  const list = new AttachmentList(
    async () => reader,
    store,
    () => `a${++ids}`,
  );
  const mentions = new MentionFinder(
    () => dependencies,
    async () => [],
    () => 0,
  );
  const pages: string[] = [];
  const host = {
    chooseFiles: async () => ['/work/chosen.ts'],
    pathOf: (uri: string) => (uri.startsWith('file://') ? uri.slice('file://'.length) : undefined),
  };
  const controller = (model: () => AttachmentTarget | undefined = () => ({ name: 'Seer', vision: true })) =>
    new AttachmentController({
      ...{ list, mentions: async () => mentions, host, model },
      attachPage: async (address) => pages.push(address),
    });
  return { mentions, pages, workspace, dependencies, store, reader, list, controller };
}
