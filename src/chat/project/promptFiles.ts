import type { FileReaders } from '../../tools/toolDependencies.ts';
import { oneLine, oneWord } from '../../base/text/oneLine.ts';
import { listField, shownField, textField } from '../../base/text/frontMatter.ts';
import { readProjectFiles, toolsField, type ProjectFile } from './projectFiles.ts';

export interface PromptFile {
  /** Unique single word without invisible characters, typed after the slash. */
  name: string;
  file: string;
  description?: string;
  argumentHint?: string;
  /** A built-in mode or the name of an agent. */
  agent?: string;
  models: readonly string[];
  /** Allowed tools; undefined means those of the mode. */
  tools?: readonly string[];
  problem?: string;
  body: string;
}

/** Those of the project come first. */
export async function readPrompts(
  ofProject: FileReaders,
  ofUser: FileReaders,
  knownTools: readonly string[],
): Promise<PromptFile[]> {
  const files = [
    ...(await readProjectFiles(ofProject, '.github/prompts', ['.prompt.md'])),
    ...(await readProjectFiles(ofUser, '', ['.prompt.md'])),
  ];
  const prompts = new Map<string, PromptFile>();
  for (const file of files) {
    const prompt = toPrompt(file, knownTools);
    // Names are unique, so that the chosen entry is the one sent.
    const [name] = [prompt.name, prompt.file, file.path].map(oneWord).filter((each) => !prompts.has(each));
    if (name !== undefined) prompts.set(name, { ...prompt, name });
  }
  return [...prompts.values()];
}

function toPrompt(file: ProjectFile, knownTools: readonly string[]): PromptFile {
  const description = shownField(file, 'description');
  const argumentHint = shownField(file, 'argument-hint');
  // The field's former name.
  const agent = textField(file, 'agent') ?? textField(file, 'mode');
  const { tools, problem } = toolsField(file, knownTools);
  return {
    name: textField(file, 'name') ?? file.name,
    file: oneLine(file.path.slice(file.path.lastIndexOf('/') + 1)),
    body: file.body.trim(),
    models: listField(file, 'model') ?? [],
    ...(description && { description }),
    ...(argumentHint && { argumentHint }),
    ...(agent && { agent }),
    ...(tools && { tools: [...tools] }),
    ...(problem && { problem }),
  };
}

export interface PromptInput {
  name: string;
  placeholder?: string;
}

const variable = /\$\{(?:(input):([^:}]+)(?::([^}]*))?|(\w+))\}/g;

export function inputsOf(body: string): PromptInput[] {
  const inputs = new Map<string, PromptInput>();
  for (const [, isInput, name = '', placeholder] of body.matchAll(variable)) {
    const known = inputs.get(name)?.placeholder;
    if (isInput)
      inputs.set(name, { name, ...((known ?? placeholder) && { placeholder: known ?? placeholder ?? '' }) });
  }
  return [...inputs.values()];
}

export function editorVariablesOf(body: string): string[] {
  return [...new Set([...body.matchAll(variable)].flatMap(([, , , , name]) => name ?? []))];
}

/** Unknown variables stay as written. */
export function expandPrompt(
  body: string,
  values: { inputs: Readonly<Record<string, string>>; editor: Readonly<Record<string, string | undefined>> },
): string {
  return body.replace(variable, (whole, isInput: string | undefined, input: string, _hint, name: string) =>
    isInput ? (own(values.inputs, input) ?? whole) : (own(values.editor, name) ?? whole),
  );
}

function own(values: Readonly<Record<string, string | undefined>>, name: string): string | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

const longestDescription = 80;
const longestName = 40;
const wordsInName = 4;

export function promptNameOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  // Drops half of a surrogate pair.
  return words
    .slice(0, wordsInName)
    .join('-')
    .slice(0, longestName)
    .replace(/[\ud800-\udbff]$/, '');
}

export function promptFileText(text: string, skill?: string): string {
  // A JSON string is valid YAML.
  const description = JSON.stringify(oneLine(text, longestDescription));
  const name = skill === undefined ? '' : `name: ${JSON.stringify(skill)}\n`;
  return `---\n${name}description: ${description}\n---\n\n${text}\n`;
}
