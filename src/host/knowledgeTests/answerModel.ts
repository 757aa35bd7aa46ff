import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { formatNumber, plural } from '../../base/text/format.ts';
import { formatMoney } from '../../base/text/formatUsage.ts';
import { inline } from '../../base/text/oneLine.ts';
import { groundedAnswer } from '../../knowledgeTests/groundedAnswer.ts';
import type { Answers } from '../../knowledgeTests/runQuestion.ts';
import { hostOf, placeOf } from '../../relay/relayModelId.ts';
import { isUsable } from '../connect/chooseModel.ts';
import { readChatOptions } from '../settings.ts';
import type { Connection } from './preparedFile.ts';
import { type KnowledgeTestParts, readFileAt } from './testFileItems.ts';
import { askModal } from '../ui/modals.ts';

export interface TestModel {
  settings: { model: string; stream: boolean };
  name: string;
  relay: string;
}

/** The conversation's model unless another is given; undefined for an app, or without one that the key can use. */
export async function testModel(
  { chat, models, relays, settings }: KnowledgeTestParts,
  model = chat.shown.choices.model,
): Promise<TestModel | undefined> {
  await relays.ready;
  if (!isUsable(models.catalog, model)) return undefined;
  const { access, id } = placeOf(relays, model);
  if (!access) return undefined;
  const { stream } = readChatOptions(settings);
  return { settings: { model, stream }, name: inline(id, 80), relay: hostOf(access.origin) };
}

/** Asks once whether questions may be sent to the model, if one of them is to be answered. */
export async function answersOf(
  parts: () => Promise<KnowledgeTestParts>,
  chosen: readonly { item: vscode.TestItem; questions: readonly vscode.TestItem[] }[],
  connection: Connection,
  signal: AbortSignal,
): Promise<Answers> {
  const count = await countAnswers(chosen);
  if (count === 0) return { skipped: '' };
  // Without a platform, nothing is found to be sent.
  if (!(await connection.catch(() => undefined)) || signal.aborted) return { skipped: '' };
  const all = await parts();
  const model = await testModel(all);
  if (!model) return { skipped: l10n.t('No model is chosen. Choose one in the chat.') };
  const send = l10n.t('Send');
  const text = plural(
    count,
    l10n.t('Send 1 question with the segments found to {0}?', model.name),
    l10n.t('Send {0} questions with the segments found to {1}?', formatNumber(count), model.name),
  );
  const detail = [
    l10n.t(
      'At {0}, to check the words that answers must contain. Without it, those answers are skipped.',
      model.relay,
    ),
    await priceText(all, model),
  ].join('\n\n');
  const answer = await askModal({ severity: 'information', text, detail }, send);
  if (answer !== send) return { skipped: l10n.t('You chose not to ask the model.') };
  return askingAnswers(all, model);
}

/** Continues without answers once the daily budget has stopped one. */
function askingAnswers({ models }: KnowledgeTestParts, { settings }: TestModel): Answers {
  let stopped: SwitchboardError | undefined;
  return {
    async ask(question, found, signal) {
      if (stopped) throw stopped;
      try {
        return await groundedAnswer(models.ask, settings, { question, found }, signal);
      } catch (error) {
        if (error instanceof SwitchboardError && error.code === 'budget') stopped = error;
        throw error;
      }
    },
  };
}

async function countAnswers(
  chosen: readonly { item: vscode.TestItem; questions: readonly vscode.TestItem[] }[],
): Promise<number> {
  let count = 0;
  for (const { item, questions } of chosen) {
    // The run reports for each question why the file can't be read.
    const file = await readFileAt(item.uri!).catch(() => undefined);
    count += questions.filter(({ id }) => {
      const question = file?.byId.get(id);
      return question && !question.problem && question.answer.length > 0;
    }).length;
  }
  return count;
}

async function priceText(
  { clients, relays }: KnowledgeTestParts,
  { settings: { model }, name }: TestModel,
): Promise<string> {
  const { access, id } = placeOf(relays, model);
  const price = access && (await (await clients.relay(access)).price(id));
  if (!price) return l10n.t("The relay doesn't publish a price for {0}.", name);
  const perMillion = (amount: number) => formatMoney(amount * 1_000_000, price.currency);
  const text = l10n.t(
    'Price: {0} per million tokens in, {1} out.',
    perMillion(price.prompt),
    perMillion(price.completion),
  );
  return price.lacksGroup ? `${text} ${l10n.t("Without your group's ratio.")}` : text;
}
