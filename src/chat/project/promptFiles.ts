import type { ToolDependencies } from '../../tools/toolDependencies.ts';
import { listField, readProjectFiles, textField, toolsField, type ProjectFile } from './projectFiles.ts';

/** A message that the project has written down, sent by `/name`. */
export interface PromptFile {
  /** Typed after the slash. */
  name: string;
  description?: string;
  /** What is to be typed after the name, in the project's words. */
  argumentHint?: string;
  /** The mode it is meant for: a built-in one, or the name of an agent. */
  agent?: string;
  models: readonly string[];
  /** The only tools that run for it; undefined: those of the mode. */
  tools?: readonly string[];
  /** What of it does not hold here, in the user's language. */
  problem?: string;
  body: string;
}

export async function readPrompts(
  deps: ToolDependencies,
  knownTools: readonly string[],
): Promise<PromptFile[]> {
  const files = await readProjectFiles(deps, '.github/prompts', ['.prompt.md']);
  return files.map((file) => toPrompt(file, knownTools));
}

function toPrompt(file: ProjectFile, knownTools: readonly string[]): PromptFile {
  const description = textField(file, 'description');
  const argumentHint = textField(file, 'argument-hint');
  // It was called "mode" before.
  const agent = textField(file, 'agent') ?? textField(file, 'mode');
  const { tools, problem } = toolsField(file, knownTools);
  return {
    name: (textField(file, 'name') ?? file.name).replace(/\s+/g, '-'),
    body: file.body.trim(),
    models: listField(file, 'model') ?? [],
    ...(description && { description }),
    ...(argumentHint && { argumentHint }),
    ...(agent && { agent }),
    ...(tools && { tools: [...tools] }),
    ...(problem && { problem }),
  };
}

/** What the user is asked before it is sent. */
export interface PromptInput {
  name: string;
  placeholder?: string;
}

const variable = /\$\{(?:(input):([^:}]+)(?::([^}]*))?|(\w+))\}/g;

/** Each once, in their order. */
export function inputsOf(body: string): PromptInput[] {
  const inputs = new Map<string, PromptInput>();
  for (const [, isInput, name = '', placeholder] of body.matchAll(variable)) {
    const known = inputs.get(name)?.placeholder;
    if (isInput)
      inputs.set(name, { name, ...((known ?? placeholder) && { placeholder: known ?? placeholder ?? '' }) });
  }
  return [...inputs.values()];
}

/** Variables of the editor that it uses. */
export function editorVariablesOf(body: string): string[] {
  return [...new Set([...body.matchAll(variable)].flatMap(([, , , , name]) => name ?? []))];
}

/** The body with what its variables stand for; one that stands for nothing known stays as it is written. */
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
