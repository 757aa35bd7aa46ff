import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { toSwitchboardError } from '../../base/errors/toSwitchboardError.ts';
import {
  type Answers,
  namedPlace,
  nameSegment,
  type QuestionOutcome,
  runQuestion,
} from '../../knowledgeTests/runQuestion.ts';
import {
  describeLack,
  describeMeasures,
  measure,
  reportLines,
  type TestedQuestion,
} from '../../knowledgeTests/testReport.ts';
import { toAbortSignal } from '../ui/cancellation.ts';
import { answersOf } from './answerModel.ts';
import { connect, type Connection, prepare, type PreparedFile } from './preparedFile.ts';
import { type KnowledgeTestParts, rangeIn, type ReadTestFile } from './testFileItems.ts';

interface ChosenFile {
  item: vscode.TestItem;
  questions: vscode.TestItem[];
}

export async function runTests(
  controller: vscode.TestController,
  request: vscode.TestRunRequest,
  token: vscode.CancellationToken,
  parts: () => Promise<KnowledgeTestParts>,
): Promise<void> {
  const run = controller.createTestRun(request);
  const signal = toAbortSignal(token);
  const chosen = chosenFiles(controller, request);
  const all: TestedQuestion[] = [];
  try {
    for (const item of chosen.flatMap(({ questions }) => questions)) run.enqueued(item);
    const connection = connect(parts, signal);
    // Each file awaits it; one with a problem doesn't.
    connection.catch(() => undefined);
    const answers = await answersOf(parts, chosen, connection, signal);
    for (const each of chosen) {
      const tested = await runFile(run, each, { connection, answers }, signal);
      all.push(...tested);
      if (signal.aborted) break;
    }
    if (chosen.length > 1) write(run, describeMeasures(measure(all)));
  } finally {
    run.end();
  }
}

function chosenFiles(
  { items }: vscode.TestController,
  { include, exclude = [] }: vscode.TestRunRequest,
): ChosenFile[] {
  const files = new Map<string, ChosenFile>();
  const isExcluded = (item: vscode.TestItem | undefined) => item !== undefined && exclude.includes(item);
  const add = (question: vscode.TestItem) => {
    const { parent } = question;
    if (!parent || isExcluded(question) || isExcluded(parent)) return;
    const file = files.get(parent.id) ?? { item: parent, questions: [] };
    files.set(parent.id, file);
    if (!file.questions.includes(question)) file.questions.push(question);
  };
  for (const item of include ?? [...items].map(([, file]) => file)) {
    if (item.parent) add(item);
    else for (const [, question] of item.children) add(question);
  }
  return [...files.values()];
}

async function runFile(
  run: vscode.TestRun,
  { item, questions }: ChosenFile,
  { connection, answers }: { connection: Connection; answers: Answers },
  signal: AbortSignal,
): Promise<TestedQuestion[]> {
  const tested: TestedQuestion[] = [];
  write(run, vscode.workspace.asRelativePath(item.uri!));
  let setting;
  try {
    setting = await prepare(item.uri!, connection);
  } catch (error) {
    if (signal.aborted) return tested;
    setting = toSwitchboardError(error).message;
  }
  for (const question of questions) {
    if (signal.aborted) break;
    run.started(question);
    const began = performance.now();
    let outcome: QuestionOutcome;
    try {
      outcome =
        typeof setting === 'string'
          ? { type: 'failed', message: setting }
          : await ask({ ...setting, answers }, question.id, signal);
    } catch (error) {
      if (signal.aborted) {
        run.skipped(question);
        break;
      }
      outcome = { type: 'failed', message: toSwitchboardError(error).message };
    }
    const result = { text: question.label, outcome };
    tested.push(result);
    tell(
      run,
      question,
      outcome,
      performance.now() - began,
      typeof setting === 'string' ? undefined : setting.file,
    );
    write(run, ...reportLines(result));
  }
  const measures = describeMeasures(measure(tested));
  write(run, measures, '');
  if (questions.length === item.children.size && !signal.aborted) item.description = measures;
  return tested;
}

async function ask(
  { file, connected, datasets, matcher, answers }: PreparedFile & { answers: Answers },
  id: string,
  signal: AbortSignal,
): Promise<QuestionOutcome> {
  const question = file.byId.get(id);
  if (!question) return { type: 'failed', message: l10n.t('The question is no longer in the file.') };
  return runQuestion({ tested: connected, datasets, matcher, answers }, question, signal);
}

function tell(
  run: vscode.TestRun,
  item: vscode.TestItem,
  outcome: QuestionOutcome,
  ms: number,
  file: ReadTestFile | undefined,
): void {
  if (outcome.type === 'passed') {
    run.passed(item, ms);
    return;
  }
  if (outcome.type === 'failed') {
    const message = new vscode.TestMessage(outcome.message);
    if (item.uri && item.range) message.location = new vscode.Location(item.uri, item.range);
    run.errored(item, message, ms);
    return;
  }
  if (outcome.type === 'skipped') {
    run.skipped(item);
    return;
  }
  const actual = outcome.found.map((segment) => `${segment.rank}. ${nameSegment(segment)}`).join('\n');
  const messages = outcome.places
    .filter(({ isFound }) => !isFound)
    .map(({ place, explanation = '' }) => {
      const found = actual === '' ? l10n.t('Nothing was found.') : actual;
      const message = vscode.TestMessage.diff(explanation, namedPlace(place), found);
      if (file) message.location = new vscode.Location(file.uri, rangeIn(file.text, place.range));
      return message;
    });
  const { answer } = outcome;
  if (answer?.type === 'checked' && answer.missing.length > 0) {
    const message = vscode.TestMessage.diff(describeLack(answer), answer.missing.join('\n'), answer.text);
    if (item.uri && item.range) message.location = new vscode.Location(item.uri, item.range);
    messages.push(message);
  }
  run.failed(item, messages, ms);
}

/** The output is a terminal, which wants both signs at the end of a line. */
function write(run: vscode.TestRun, ...lines: string[]): void {
  for (const line of lines) run.appendOutput(`${line}\r\n`);
}
