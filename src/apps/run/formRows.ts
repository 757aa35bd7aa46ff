import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/text/format.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import { type FormField, type MaxBytes, shownFields } from '../app.ts';
import { checkAnswers, chosenName, type FormAnswer, type FormAnswers, isTicked, textOf } from '../appForm.ts';

export type FormRow =
  | { type: 'run'; label: string; detail: string; isReady: boolean }
  | {
      type: 'field';
      field: FormField;
      label: string;
      description: string;
      detail: string;
      hasProblem: boolean;
    };

export interface FormState {
  form: readonly FormField[];
  answers: FormAnswers;
  maxBytes: MaxBytes;
  origins: ReadonlyMap<string, string>;
  action?: string | undefined;
}

export function formRows({ form, answers, maxBytes, origins, action }: FormState): FormRow[] {
  const problems = new Map(
    checkAnswers(form, answers, maxBytes).map(({ variable, problem }) => [variable, problem]),
  );
  const fields = shownFields(form).map((field): FormRow => {
    const { variable, label, isRequired, hint = '' } = field;
    const problem = problems.get(variable);
    return {
      type: 'field',
      field,
      label: isRequired ? `${label} *` : label,
      description: shownAnswer(field, answers[variable]),
      detail: problem ?? origins.get(variable) ?? oneLine(hint, 120),
      hasProblem: problem !== undefined,
    };
  });
  const run: FormRow = {
    type: 'run',
    label: action ?? l10n.t('Run'),
    detail: readiness(form, [...problems.keys()]),
    isReady: problems.size === 0,
  };
  return [run, ...fields];
}

/** Names missing fields in the first row, so a screen reader reads them first. */
function readiness(form: readonly FormField[], variables: readonly string[]): string {
  const labels = form
    .filter(({ variable }) => variables.includes(variable))
    .map(({ label }) => oneLine(label, 40));
  return labels.length === 0 ? '' : l10n.t('Required: {0}', labels.join(', '));
}

function shownAnswer(field: FormField, answer: FormAnswer | undefined): string {
  if (field.type === 'checkbox') return isTicked(field, answer) ? l10n.t('yes') : l10n.t('no');
  if (typeof answer === 'object') return answer.map(chosenName).join(', ');
  const text = textOf(answer);
  if (text === '') return l10n.t('(empty)');
  // A shortened value says so; all of it is sent.
  const lines = text.trimEnd().split('\n').length;
  return plural(lines, oneLine(text, 80), l10n.t('{0} ({1} lines)', oneLine(text, 60), formatNumber(lines)));
}
