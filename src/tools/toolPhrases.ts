import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../base/text/format.ts';
import type { OwnToolName } from './ownToolNames.ts';
import { currentStep, planSteps, type PlanStep } from './plan/planSteps.ts';

/** The arguments of a call for display: short, on one line, nothing invisible. */
export interface ShownArguments {
  text(name: string): string | undefined;
  number(name: string): number | undefined;
  texts(name: string, field: string): readonly string[];
  rows(name: string): readonly Readonly<Record<string, string>>[];
}

export interface ShownResult {
  count?: number | undefined;
  hasMore?: boolean | undefined;
  isInBackground?: boolean | undefined;
  added?: number | undefined;
  removed?: number | undefined;
}

export type LookKind = 'file' | 'search' | 'list' | 'other';

export interface ToolPhrase {
  look?: LookKind;
  plan(target: string): string;
  running(target: string): string;
  done(target: string, result: ShownResult): string;
  failed(target: string): string;
  target(input: ShownArguments): string;
}

interface OwnToolPhrase extends ToolPhrase {
  title(): string;
}

/** Our tools by name; conversations are shown without building them. */
export const toolPhrases: Readonly<Record<OwnToolName, OwnToolPhrase>> = {
  read_file: {
    title: () => l10n.t('Read files'),
    look: 'file',
    target: (input) => {
      const path = input.text('path') ?? '';
      const first = input.number('startLine');
      const last = input.number('endLine');
      if (last !== undefined) return l10n.t('{0}, lines {1}–{2}', path, first ?? 1, last);
      return first === undefined || first === 1 ? path : l10n.t('{0}, from line {1}', path, first);
    },
    plan: (target) => l10n.t('Read {0}', target),
    running: (target) => l10n.t('Reading {0}…', target),
    done: (target) => l10n.t('Read {0}', target),
    failed: (target) => l10n.t("Couldn't read {0}", target),
  },
  list_files: {
    title: () => l10n.t('List files'),
    look: 'list',
    target: (input) => {
      const path = folderOf(input);
      const glob = input.text('glob');
      return glob ? `${path} (${glob})` : path;
    },
    plan: (target) => l10n.t('List files in {0}', target),
    running: (target) => l10n.t('Listing files in {0}…', target),
    done: (target, result) => withCount(l10n.t('Listed {0}', target), result, filesOf),
    failed: (target) => l10n.t("Couldn't list files in {0}", target),
  },
  search_text: {
    title: () => l10n.t('Search in files'),
    look: 'search',
    target: (input) => queryIn(input),
    plan: (target) => l10n.t('Search for {0}', target),
    running: (target) => l10n.t('Searching for {0}…', target),
    done: (target, result) => withCount(l10n.t('Searched for {0}', target), result, matchesOf),
    failed: (target) => l10n.t("Couldn't search for {0}", target),
  },
  find_symbols: {
    title: () => l10n.t('Find symbols'),
    look: 'search',
    target: (input) => {
      const path = input.text('path');
      return input.text('query') === undefined && path ? l10n.t('symbols in {0}', path) : queryIn(input);
    },
    plan: (target) => l10n.t('Look up {0}', target),
    running: (target) => l10n.t('Looking up {0}…', target),
    done: (target, result) => withCount(l10n.t('Looked up {0}', target), result, symbolsOf),
    failed: (target) => l10n.t("Couldn't look up {0}", target),
  },
  find_references: {
    title: () => l10n.t('Find references'),
    look: 'search',
    target: (input) => input.text('symbol') ?? '',
    plan: (target) => l10n.t('Find references to {0}', target),
    running: (target) => l10n.t('Finding references to {0}…', target),
    done: (target, result) => withCount(l10n.t('Found references to {0}', target), result, formatCount),
    failed: (target) => l10n.t("Couldn't find references to {0}", target),
  },
  get_diagnostics: {
    title: () => l10n.t('Read problems'),
    look: 'other',
    target: (input) => folderOf(input),
    plan: (target) => l10n.t('Check {0} for problems', target),
    running: (target) => l10n.t('Checking {0} for problems…', target),
    done: (target, result) => withCount(l10n.t('Checked {0}', target), result, problemsOf),
    failed: (target) => l10n.t("Couldn't check {0} for problems", target),
  },
  get_changes: {
    title: () => l10n.t('Read changes since the last commit'),
    look: 'other',
    target: (input) => folderOf(input),
    plan: (target) => l10n.t('Check Git changes in {0}', target),
    running: (target) => l10n.t('Checking Git changes in {0}…', target),
    done: (target, result) => withCount(l10n.t('Checked Git changes in {0}', target), result, filesOf),
    failed: (target) => l10n.t("Couldn't check Git changes in {0}", target),
  },
  get_open_editors: {
    title: () => l10n.t('See open editors and the selection'),
    look: 'other',
    target: () => '',
    plan: () => l10n.t('Check open editors'),
    running: () => l10n.t('Checking open editors…'),
    done: () => l10n.t('Checked open editors'),
    failed: () => l10n.t("Couldn't check open editors"),
  },
  edit_file: {
    title: () => l10n.t('Edit files'),
    target: (input) => {
      const path = input.text('path') ?? '';
      const others = new Set(input.texts('replacements', 'path').filter((each) => each !== path)).size;
      return others > 0 ? l10n.t('{0} and {1} more', path, others) : path;
    },
    plan: (target) => l10n.t('Edit {0}', target),
    running: (target) => l10n.t('Editing {0}…', target),
    done: (target, result) => withLines(l10n.t('Edited {0}', target), result),
    failed: (target) => l10n.t("Couldn't edit {0}", target),
  },
  create_file: {
    title: () => l10n.t('Create files'),
    target: (input) => input.text('path') ?? '',
    plan: (target) => l10n.t('Create {0}', target),
    running: (target) => l10n.t('Creating {0}…', target),
    done: (target, result) => withLines(l10n.t('Created {0}', target), result),
    failed: (target) => l10n.t("Couldn't create {0}", target),
  },
  update_plan: {
    title: () => l10n.t('Keep a checklist'),
    target: (input) => planLine(planSteps({ steps: input.rows('steps') })),
    plan: () => l10n.t('Update the plan'),
    running: () => l10n.t('Updating the plan…'),
    done: (target) => target,
    failed: () => l10n.t("Couldn't update the plan"),
  },
  run_command: {
    ...foreignPhrase(''),
    title: () => l10n.t('Run commands'),
    target: (input) => input.text('command') ?? '',
    done: (target, { isInBackground }) =>
      isInBackground ? l10n.t('Started {0} in the background', target) : l10n.t('Ran {0}', target),
  },
  search_knowledge: {
    title: () => l10n.t('Search knowledge bases'),
    look: 'search',
    target: (input) => queryIn(input),
    plan: (target) => l10n.t('Search knowledge bases for {0}', target),
    running: (target) => l10n.t('Searching knowledge bases for {0}…', target),
    done: (target, result) =>
      withCount(l10n.t('Searched knowledge bases for {0}', target), result, segmentsOf),
    failed: (target) => l10n.t("Couldn't search knowledge bases for {0}", target),
  },
  read_skill: {
    title: () => l10n.t('Read skills'),
    look: 'file',
    target: (input) => [input.text('name'), input.text('file')].filter(Boolean).join('/'),
    plan: (target) => l10n.t('Read the skill {0}', target),
    running: (target) => l10n.t('Loading the skill {0}…', target),
    done: (target) => l10n.t('Read the skill {0}', target),
    failed: (target) => l10n.t("Couldn't read the skill {0}", target),
  },
  get_workflow_state: {
    title: () => l10n.t('Compare workflows with the platform'),
    look: 'other',
    target: (input) => input.text('path') ?? '',
    plan: (target) => l10n.t('Compare {0} with the platform', target),
    running: (target) => l10n.t('Comparing {0} with the platform…', target),
    done: (target) => l10n.t('Compared {0} with the platform', target),
    failed: (target) => l10n.t("Couldn't compare {0} with the platform", target),
  },
  run_workflow: {
    ...foreignPhrase(''),
    title: () => l10n.t('Run workflows'),
    target: (input) => input.text('path') ?? '',
    failed: (target) => l10n.t("Couldn't run {0}", target),
  },
};

const phrases: Readonly<Record<string, ToolPhrase>> = toolPhrases;

export function ownToolPhrase(name: string): ToolPhrase | undefined {
  return Object.hasOwn(phrases, name) ? phrases[name] : undefined;
}

export function foreignPhrase(title: string): ToolPhrase {
  return {
    target: () => title,
    plan: (target) => l10n.t('Run {0}', target),
    running: (target) => l10n.t('Running {0}…', target),
    done: (target) => l10n.t('Ran {0}', target),
    // The failure is shown beside it; whether it ran isn't known here.
    failed: (target) => l10n.t('Run {0}', target),
  };
}

export function planLine(steps: readonly PlanStep[]): string {
  const at = currentStep(steps);
  if (at === undefined) return l10n.t('Plan done: {0} of {0}', steps.length);
  return l10n.t('{0} of {1}: {2}', at + 1, steps.length, steps[at]?.step ?? '');
}

function folderOf(input: ShownArguments): string {
  const path = input.text('path');
  return !path || path === '.' ? l10n.t('the workspace') : path;
}

function queryIn(input: ShownArguments): string {
  const query = l10n.t('"{0}"', input.text('query') ?? '');
  const path = input.text('path');
  return path && path !== '.' ? l10n.t('{0} in {1}', query, path) : query;
}

function withCount(sentence: string, { count, hasMore }: ShownResult, inWords: Count): string {
  return count === undefined ? sentence : l10n.t('{0}: {1}', sentence, inWords(count, hasMore ? '+' : ''));
}

function withLines(sentence: string, { added, removed }: ShownResult): string {
  if (added === undefined || removed === undefined) return sentence;
  return `${sentence} +${formatNumber(added)}\u00A0−${formatNumber(removed)}`;
}

type Count = (count: number, more: string) => string;

const formatCount: Count = (count, more) => `${formatNumber(count)}${more}`;
const filesOf: Count = (n, more) => plural(n, l10n.t('1 file'), l10n.t('{0} files', formatCount(n, more)));
const matchesOf: Count = (n, more) =>
  n === 0 ? l10n.t('no matches') : plural(n, l10n.t('1 match'), l10n.t('{0} matches', formatCount(n, more)));
const symbolsOf: Count = (n, more) =>
  n === 0 ? l10n.t('no symbols') : plural(n, l10n.t('1 symbol'), l10n.t('{0} symbols', formatCount(n, more)));
const problemsOf: Count = (n, more) =>
  n === 0
    ? l10n.t('no problems')
    : plural(n, l10n.t('1 problem'), l10n.t('{0} problems', formatCount(n, more)));
const segmentsOf: Count = (n, more) =>
  n === 0
    ? l10n.t('nothing found')
    : plural(n, l10n.t('1 segment'), l10n.t('{0} segments', formatCount(n, more)));
