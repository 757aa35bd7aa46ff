import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { inList, inline } from '../../base/text/oneLine.ts';
import { appendQuestions, type NewQuestion } from '../../knowledgeTests/appendQuestions.ts';
import { PlaceMatcher } from '../../knowledgeTests/placeMatch.ts';
import { namedPlace } from '../../knowledgeTests/runQuestion.ts';
import {
  chooseSegments,
  mostOffered,
  type QuestionCandidate,
  writeQuestions,
} from '../../knowledgeTests/writeQuestions.ts';
import type { Dataset, DocumentRecord, Segment } from '../../platform/records.ts';
import { usableModel } from '../connect/chooseModel.ts';
import { withProgress } from '../ui/withProgress.ts';
import { type TestModel, testModel } from './answerModel.ts';
import { clickedTestFile, namesBase, testFilesOf } from './chooseTestFile.ts';
import { createTestFile } from './newKnowledgeTest.ts';
import { type Connection, connect, filesOf } from './preparedFile.ts';
import { type KnowledgeTestParts, readFileAt } from './testFileItems.ts';
import type { Notifications } from '../ui/notifications.ts';

/** Documents and segments of a document to choose from, at most: one page of the platform. */
const pageSize = 100;

type Connected = Awaited<Connection>;

interface SegmentOf {
  document: DocumentRecord;
  segment: Segment;
}

export async function suggestQuestions(
  parts: KnowledgeTestParts,
  args: readonly unknown[],
  clicked: Dataset | undefined,
): Promise<number | undefined> {
  await parts.relays.ready;
  const chosen = await usableModel(parts, l10n.t('Suggest Questions'));
  const model = chosen === undefined ? undefined : await testModel(parts, chosen);
  if (!model) return undefined;
  const connected = await withProgress(
    parts.notifications,
    l10n.t('Loading knowledge bases…'),
    (signal) => connect(async () => parts, signal),
    vscode.ProgressLocation.Window,
  );
  const file = clickedTestFile(args);
  const dataset = clicked ?? (await chooseDataset(connected, file));
  if (!dataset) return undefined;
  const documents = await chooseDocuments(parts.notifications, connected, dataset, model);
  if (!documents) return undefined;
  const written = await withProgress(parts.notifications, l10n.t('Writing questions…'), (signal) =>
    write(parts, connected, { dataset, documents, model }, signal),
  );
  const picked = await chooseQuestions(parts.notifications, written, connected, dataset);
  if (!picked || picked.length === 0) return undefined;
  const target = await chooseTarget(file, dataset);
  if (!target) return undefined;
  return add(parts.notifications, connected, { dataset, target, picked });
}

async function chooseDataset(
  { knowledge }: Connected,
  file: vscode.Uri | undefined,
): Promise<Dataset | undefined> {
  // Segments of external and agent knowledge bases can't be listed.
  const all = knowledge.bases.state.datasets.filter(({ isExternal, isAgent }) => !isExternal && !isAgent);
  const read = file && (await readFileAt(file).catch(() => undefined));
  const named = read ? all.filter((dataset) => namesBase(read, dataset)) : [];
  const offered = named.length > 0 ? named : all;
  if (offered.length <= 1) return offered[0];
  const rows = offered.map((dataset) => ({ label: inList(dataset.name), dataset }));
  const title = l10n.t('Suggest Questions');
  return (await vscode.window.showQuickPick(rows, { title }))?.dataset;
}

/** This choice is what sends content: its title says to whom, and how much. */
async function chooseDocuments(
  notifications: Notifications,
  { client }: Connected,
  { id, name }: Dataset,
  { name: model, relay }: TestModel,
): Promise<DocumentRecord[] | undefined> {
  const { items, hasMore } = await withProgress(
    notifications,
    l10n.t('Loading documents…'),
    (signal) => client.documents.list(id, { page: 1, limit: pageSize }, signal),
    vscode.ProgressLocation.Window,
  );
  const usable = items.filter(({ display, isEnabled }) => display === 'available' && isEnabled);
  if (usable.length === 0) {
    throw new SwitchboardError(
      'settings',
      l10n.t('"{0}" has no document that is indexed and enabled.', inline(name, 60)),
    );
  }
  const rows = usable.map((document) => ({ label: inList(document.name), document }));
  const picked = await vscode.window.showQuickPick(rows, {
    canPickMany: true,
    ignoreFocusOut: true,
    title: hasMore
      ? l10n.t('Documents to Write Questions From (the first {0} are listed)', pageSize)
      : l10n.t('Documents to Write Questions From'),
    placeHolder: l10n.t('At most {0} of their segments are sent to {1} at {2}', mostOffered, model, relay),
  });
  return picked && picked.length > 0 ? picked.map(({ document }) => document) : undefined;
}

interface Written {
  candidates: (QuestionCandidate & { of: SegmentOf })[];
  dropped: number;
}

async function write(
  { models }: KnowledgeTestParts,
  { client }: Connected,
  {
    dataset,
    documents,
    model: { settings },
  }: { dataset: Dataset; documents: readonly DocumentRecord[]; model: TestModel },
  signal: AbortSignal,
): Promise<Written> {
  const lists: SegmentOf[][] = [];
  for (const document of documents.slice(0, mostOffered)) {
    const place = { datasetId: dataset.id, documentId: document.id };
    const { items } = await client.segments.list(place, { page: 1, limit: pageSize }, signal);
    const searched = items.filter(({ isEnabled, content }) => isEnabled && content.trim() !== '');
    lists.push(searched.map((segment) => ({ document, segment })));
  }
  const chosen = chooseSegments(lists);
  if (chosen.length === 0) {
    throw new SwitchboardError('settings', l10n.t('The documents have no segments.'));
  }
  const offered = chosen.map(({ document, segment: { content } }) => ({ document: document.name, content }));
  const { candidates, dropped } = await writeQuestions(models.ask, offered, settings, signal);
  return { candidates: candidates.map((each) => ({ ...each, of: chosen[each.segment - 1]! })), dropped };
}

async function chooseQuestions(
  notifications: Notifications,
  { candidates, dropped }: Written,
  { knowledge }: Connected,
  dataset: Dataset,
): Promise<readonly Written['candidates'][number][] | undefined> {
  const left = plural(
    dropped,
    l10n.t('1 was left out: its words are not in its segment, or it repeats another.'),
    l10n.t(
      '{0} were left out: their words are not in their segments, or they repeat others.',
      formatNumber(dropped),
    ),
  );
  if (candidates.length === 0) {
    void notifications.information(
      [l10n.t('The model wrote no question that can be tested.'), dropped > 0 && left]
        .filter(Boolean)
        .join(' '),
    );
    return undefined;
  }
  const rows = await Promise.all(
    candidates.map(async (candidate) => {
      const { document, segment } = candidate.of;
      const origin = await knowledge.originOf(dataset.id, document.id);
      return {
        label: inList(candidate.question, 200),
        description: inList(origin?.path ?? document.name, 80),
        detail: l10n.t(
          'Segment {0}: "{1}"',
          segment.position ?? candidate.segment,
          inList(candidate.words, 200),
        ),
        candidate,
      };
    }),
  );
  const picked = await vscode.window.showQuickPick(rows, {
    canPickMany: true,
    ignoreFocusOut: true,
    matchOnDetail: true,
    title: l10n.t('Questions to Add'),
    placeHolder: dropped > 0 ? left : l10n.t('The words are in the segment that must be found'),
  });
  return picked?.map(({ candidate }) => candidate);
}

async function chooseTarget(file: vscode.Uri | undefined, dataset: Dataset): Promise<vscode.Uri | undefined> {
  const read = file && (await readFileAt(file).catch(() => undefined));
  if (read && namesBase(read, dataset)) return file;
  const uris = await testFilesOf(dataset);
  if (uris.length === 0) return createTestFile(dataset);
  const rows: (vscode.QuickPickItem & { uri?: vscode.Uri })[] = [
    ...uris.map((uri) => ({ label: inList(vscode.workspace.asRelativePath(uri)), uri })),
    { label: `$(add) ${l10n.t('New Knowledge Test…')}` },
  ];
  const picked = await vscode.window.showQuickPick(rows, { title: l10n.t('Add Questions To') });
  return picked && (picked.uri ?? createTestFile(dataset));
}

/** One edit of the open file, which can be undone. It isn't saved. */
async function add(
  notifications: Notifications,
  { knowledge, dependencies }: Connected,
  {
    dataset,
    target,
    picked,
  }: { dataset: Dataset; target: vscode.Uri; picked: readonly Written['candidates'][number][] },
): Promise<number> {
  const document = await vscode.workspace.openTextDocument(target);
  const matcher = new PlaceMatcher(filesOf(target, dependencies));
  const asked = new Set((await readFileAt(target)).questions.map(({ text }) => text));
  const questions: NewQuestion[] = [];
  for (const { question, words, of } of picked) {
    if (asked.has(question)) continue;
    const origin = await knowledge.originOf(dataset.id, of.document.id);
    const lines = origin && (await matcher.linesOf(origin.path, of.segment.content));
    const file = fileIn(target, origin?.path ?? of.document.name);
    questions.push({ question, words, file, ...(lines && { lines }) });
  }
  const addable = questions.filter((each) => appendQuestions('', dataset.name.trim(), [each]));
  const insertion = appendQuestions(document.getText(), dataset.name.trim(), addable);
  if (addable.length === 0 || !insertion) {
    throw new SwitchboardError(
      'local-file',
      l10n.t(
        "The questions couldn't be added to {0}. Correct the problems of the file first.",
        inline(vscode.workspace.asRelativePath(target)),
      ),
    );
  }
  const edit = new vscode.WorkspaceEdit();
  edit.insert(target, document.positionAt(insertion.offset), insertion.text);
  await vscode.workspace.applyEdit(edit);
  const editor = await vscode.window.showTextDocument(document);
  const position = document.positionAt(insertion.offset + insertion.text.length);
  editor.revealRange(new vscode.Range(position, position));
  const skipped = picked.length - addable.length;
  const leftOut = questions
    .filter((each) => !addable.includes(each))
    .map(({ file, lines, words }) => {
      const place = { range: { start: 0, end: 0 }, file, words: [words], ...(lines && { lines }) };
      return namedPlace(place);
    });
  if (skipped > 0) {
    void notifications.information(
      [
        plural(
          skipped,
          l10n.t('1 question was not added.'),
          l10n.t('{0} questions were not added.', formatNumber(skipped)),
        ),
        leftOut.length > 0
          ? l10n.t("A test can't name: {0}", leftOut.join(', '))
          : l10n.t('The file already has them.'),
      ].join(' '),
    );
  }
  return addable.length;
}

function fileIn(target: vscode.Uri, path: string): string {
  const { workspaceFolders = [], getWorkspaceFolder } = vscode.workspace;
  const folder = workspaceFolders.length > 1 ? getWorkspaceFolder(target) : undefined;
  return folder && path.startsWith(`${folder.name}/`) ? path.slice(folder.name.length + 1) : path;
}
