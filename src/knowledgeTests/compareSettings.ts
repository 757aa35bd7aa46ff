import * as l10n from '@vscode/l10n';
import type { SwitchboardError } from '../base/errors/errors.ts';
import { inline } from '../base/text/oneLine.ts';
import type { SearchVariant } from './searchVariants.ts';
import { type QuestionOutcome, searchPlaces, type TestSetting } from './runQuestion.ts';
import type { TestQuestion } from './testFile.ts';
import type { TestedKnowledge } from './testedKnowledge.ts';
import { measure, type TestedQuestion, type TestMeasures } from './testReport.ts';

export interface ComparedSettings {
  readonly variant: SearchVariant;
  readonly tested: readonly TestedQuestion[];
  readonly measures: TestMeasures;
  readonly meanMs?: number;
  readonly asked: number;
  /** Why the platform refused these settings; the measures are then those of a part. */
  readonly refusal?: string;
}

const longestReason = 400;

type Searching = Omit<TestSetting, 'answers'>;

/** Runs all questions by each variant, one search at a time. Throws only when aborted. */
export async function compareSettings(
  setting: Searching,
  { variants, questions }: { variants: readonly SearchVariant[]; questions: readonly TestQuestion[] },
  { now, onSearched }: { now(): number; onSearched(variant: SearchVariant): void },
  signal: AbortSignal,
): Promise<ComparedSettings[]> {
  const compared: ComparedSettings[] = [];
  let limit: string | undefined;
  for (const variant of variants) {
    const searching = { ...setting, tested: withSettings(setting.tested, variant) };
    const tested: TestedQuestion[] = [];
    const times: number[] = [];
    let refusal = limit;
    for (const question of refusal === undefined ? questions : []) {
      const began = now();
      const outcome = await searchOnly(searching, question, signal);
      if (outcome.type !== 'failed') times.push(now() - began);
      tested.push({ text: question.text, outcome });
      onSearched(variant);
      if (outcome.type !== 'failed' || !outcome.error) continue;
      // The client has waited and tried again: nothing else would go through, either.
      if (outcome.error.code === 'rate-limit') {
        limit = l10n.t('Not run: {0}', reasonOf(outcome.error));
      }
      refusal = reasonOf(outcome.error);
      break;
    }
    compared.push({
      ...{ variant, tested, measures: measure(tested), asked: tested.length },
      ...(times.length > 0 && { meanMs: times.reduce((sum, ms) => sum + ms, 0) / times.length }),
      ...(refusal !== undefined && { refusal }),
    });
  }
  return compared;
}

function reasonOf({ message, why }: SwitchboardError): string {
  return inline(why ? `${message} ${why}` : message, longestReason);
}

async function searchOnly(
  setting: Searching,
  question: TestQuestion,
  signal: AbortSignal,
): Promise<QuestionOutcome> {
  const searched = await searchPlaces(setting, question, signal);
  return searched.type === 'failed' ? searched : { type: searched.type, ...searched.outcome };
}

function withSettings(tested: TestedKnowledge, { settings }: SearchVariant): TestedKnowledge {
  const { knowledge } = tested;
  const searchSettings = (datasetId: string) => settings.get(datasetId);
  return {
    ...tested,
    knowledge: {
      bases: knowledge.bases,
      originOf: (...document) => knowledge.originOf(...document),
      searchSettings,
      search: (request, signal) => knowledge.search({ ...request, settingsOf: searchSettings }, signal),
    },
  };
}

/** The one that passes most; of equals, the one that ranks best, asks models least, and is in use. */
export function bestOf(compared: readonly ComparedSettings[]): ComparedSettings | undefined {
  const [best] = compared
    .filter(({ refusal, measures }) => refusal === undefined && measures.passed > 0)
    .toSorted(
      (a, b) =>
        b.measures.passed - a.measures.passed ||
        b.measures.mrr - a.measures.mrr ||
        requestsTo(a) - requestsTo(b) ||
        Number(b.variant.isCurrent) - Number(a.variant.isCurrent),
    );
  return best;
}

function requestsTo({ variant: { requests } }: ComparedSettings): number {
  return requests.embeddings + requests.reranks;
}
