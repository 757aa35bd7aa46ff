import { node, type AppStep, type NodeSpec, text } from '../apps/appStep.ts';
import { type FormEntry, isObject } from '../apps/inputForm.ts';
import type { AppMode, AppTurn, ScriptedApp } from '../apps/scriptedApp.ts';
import { type AppDocument, type Fields, textOf } from './dslDocument.ts';

/**
 * Runs a DSL: start, llm (repeats its last prompt), template-transform, code (returns its first variable, or
 * fails if it raises), if-else (the first case whose conditions hold), answer and end; other nodes do
 * nothing. The real server runs far more; this shows that the pushed and published flow is the one that runs.
 */
export function dslFlow(document: AppDocument, key: string, versionId: string): ScriptedApp {
  const { app, workflow } = document;
  const graph = fieldsIn(workflow?.['graph']);
  const nodes = objectsIn(graph['nodes']);
  const start = nodes.find((each) => typeOf(each) === 'start');
  return {
    mode: app.mode as AppMode,
    ...{ key, versionId, name: app.name, describe: textOf(app['description']) },
    form: objectsIn(fieldsIn(start?.['data'])['variables']).map(toFormEntry),
    answer: (turn) => walk(nodes, objectsIn(graph['edges']), start, app.mode, turn),
  };
}

function toFormEntry({ type, variable, label, required, options, ...fields }: Fields): FormEntry {
  return {
    ...{ kind: textOf(type), variable: textOf(variable), label: textOf(label ?? variable) },
    required: required === true,
    ...(Array.isArray(options) && { options: options.map(String) }),
    ...(typeof fields['max_length'] === 'number' && { max_length: fields['max_length'] }),
  };
}

type Values = Map<string, unknown>;

function* walk(
  nodes: readonly Fields[],
  edges: readonly Fields[],
  start: Fields | undefined,
  mode: string,
  turn: AppTurn,
): Iterable<AppStep> {
  const values: Values = new Map([
    ['sys.query', turn.query],
    ['sys.user_id', turn.user],
  ]);
  let current = start;
  for (let steps = 0; current && steps < 500; steps++) {
    const { id, data } = current;
    const fields = fieldsIn(data);
    const spec: NodeSpec = {
      ...{ id: textOf(id), type: typeOf(current), title: textOf(fields['title'] ?? id), seconds: 0.1 },
      inputs: turn.inputs,
    };
    const outcome = perform(spec, fields, values, turn);
    if ('error' in outcome) {
      yield { type: 'nodeStarted', node: spec };
      yield { type: 'nodeFinished', node: spec, error: outcome.error };
      yield { type: 'failRun', error: outcome.error };
      return;
    }
    for (const [name, value] of Object.entries(outcome.outputs)) values.set(`${spec.id}.${name}`, value);
    yield* node(spec, outcome.outputs, outcome.said === undefined ? [] : [text(outcome.said)]);
    if (spec.type === 'end' && mode === 'workflow') yield { type: 'outputs', outputs: outcome.outputs };
    const next = edges.find(
      ({ source, sourceHandle }) =>
        source === id && (outcome.handle === undefined || sourceHandle === outcome.handle),
    );
    current = nodes.find((each) => each['id'] === next?.['target']);
  }
}

type Outcome = { outputs: Fields; said?: string; handle?: string } | { error: string };

function perform(spec: NodeSpec, data: Fields, values: Values, turn: AppTurn): Outcome {
  switch (spec.type) {
    case 'start':
      return { outputs: { ...turn.inputs } };
    case 'llm': {
      const prompt = objectsIn(data['prompt_template']).at(-1)?.['text'];
      return { outputs: { text: `Stub heard: "${filled(textOf(prompt), values)}"` } };
    }
    case 'template-transform':
      return { outputs: { output: templated(data, values) } };
    case 'code':
      return runCode(data, values);
    case 'if-else':
      return { outputs: {}, handle: caseOf(data, values) };
    case 'answer': {
      const said = filled(textOf(data['answer']), values);
      return { outputs: { answer: said }, said };
    }
    case 'end':
      return { outputs: selected(data['outputs'], values) };
    default:
      return { outputs: {} };
  }
}

function runCode(data: Fields, values: Values): Outcome {
  const [, kind, message] = /raise (\w+)\(['"](.*?)['"]\)/.exec(textOf(data['code'])) ?? [];
  if (kind !== undefined) {
    return {
      error:
        'Traceback (most recent call last):\n  File "<string>", line 12, in <module>\n' +
        `  File "<string>", line 3, in main\n${kind}: ${message ?? ''}\n`,
    };
  }
  const [value = null] = Object.values(selected(data['variables'], values));
  const [name = 'result'] = Object.keys(fieldsIn(data['outputs']));
  return { outputs: { [name]: value } };
}

function caseOf(data: Fields, values: Values): string {
  const fits = (condition: Fields): boolean => {
    const { variable_selector: selector, comparison_operator: operator, value } = condition;
    const actual = textOf(values.get(pathOf(selector)));
    switch (operator) {
      case 'is':
      case '=':
        return actual === textOf(value);
      case 'contains':
        return actual.includes(textOf(value));
      case '>':
        return Number(actual) > Number(value);
      default:
        return actual !== '';
    }
  };
  const found = objectsIn(data['cases']).find(({ conditions }) => objectsIn(conditions).every(fits));
  return textOf(found?.['case_id'] ?? 'false');
}

function selected(list: unknown, values: Values): Fields {
  return Object.fromEntries(
    objectsIn(list).map(({ variable, value_selector: selector }) => [
      textOf(variable),
      values.get(pathOf(selector)) ?? null,
    ]),
  );
}

function templated(data: Fields, values: Values): string {
  const names = selected(data['variables'], values);
  return textOf(data['template']).replaceAll(/\{\{\s*(\w+)\s*\}\}/g, (_all, name: string) =>
    textOf(names[name]),
  );
}

function filled(template: string, values: Values): string {
  return template.replaceAll(/\{\{#([^#]+)#\}\}/g, (_all, path: string) => textOf(values.get(path)));
}

function pathOf(selector: unknown): string {
  return Array.isArray(selector) ? selector.join('.') : '';
}

function typeOf({ data }: Fields): string {
  return textOf(fieldsIn(data)['type']);
}

function fieldsIn(value: unknown): Fields {
  return isObject(value) ? value : {};
}

function objectsIn(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}
