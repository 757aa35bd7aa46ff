import { parse, stringify } from 'yaml';
import type { FormEntry } from '../apps/inputForm.ts';
import { isObject } from '../apps/inputForm.ts';
import type { ScriptedApp } from '../apps/scriptedApp.ts';

export const dslVersion = '0.7.0';

export type Fields = Record<string, unknown>;

/** `workflow` stands in flows, `agent` in new agents, `model_config` in the others. */
export interface AppDocument {
  app: Fields & { mode: string; name: string };
  dependencies: unknown[];
  workflow?: Fields;
  model_config?: Fields;
  /** Replaces all other sections. */
  agent?: Fields;
}

/** Written like PyYAML: sorted keys, no comments, no block texts. */
export function writeDsl(document: AppDocument, includeSecrets: boolean): string {
  const { app, dependencies, workflow, model_config, agent } = document;
  return stringify(
    agent ?? {
      ...{ app, dependencies, kind: 'app', version: dslVersion },
      ...(workflow && { workflow: includeSecrets ? workflow : withoutSecrets(workflow) }),
      ...(model_config && { model_config }),
    },
    {
      sortMapEntries: true,
      indentSeq: false,
      singleQuote: true,
      blockQuote: false,
      lineWidth: 80,
      schema: 'yaml-1.1',
      aliasDuplicateObjects: false,
    },
  );
}

function withoutSecrets(workflow: Fields): Fields {
  return {
    ...workflow,
    environment_variables: environmentOf(workflow).map((variable) =>
      variable['value_type'] === 'secret' ? { ...variable, value: '' } : variable,
    ),
  };
}

function environmentOf(workflow: Fields): Fields[] {
  const list = workflow['environment_variables'];
  return Array.isArray(list) ? list.filter(isObject) : [];
}

export function readDsl(text: string): { document: AppDocument; version: string } | { error: string } {
  let whole: unknown;
  try {
    whole = parse(text, { schema: 'yaml-1.1' });
  } catch (error) {
    // PyYAML's own message, which names the position, isn't imitated.
    return { error: `Invalid YAML format: ${error instanceof Error ? error.message : String(error)}` };
  }
  if (!isObject(whole)) return { error: 'Invalid YAML format: content must be a mapping' };
  const version = whole['version'] ?? '0.1.0';
  if (typeof version !== 'string') {
    const type = Number.isInteger(version) ? 'int' : 'float';
    return { error: `Invalid version type, expected str, got <class '${type}'>` };
  }
  const { app, workflow, model_config: config, dependencies } = whole;
  if (!isObject(app)) return { error: 'Missing app data in YAML content' };
  if (!/^\d+(\.\d+)*$/.test(version)) return { error: `Invalid version: '${version}'` };
  const mode = textOf(app['mode']);
  const isFlow = flowModes.has(mode);
  if (isFlow && !isObject(workflow)) {
    // Read from the source, not recorded.
    return { error: 'Missing workflow data for workflow/advanced chat app' };
  }
  if (!isFlow && !isObject(config)) {
    return { error: 'Missing model_config for chat/agent-chat/completion app' };
  }
  const document: AppDocument = {
    app: { ...defaultFace, ...app, mode, name: textOf(app['name']) },
    dependencies: Array.isArray(dependencies) ? dependencies : [],
    ...(isObject(workflow) && isFlow && { workflow }),
    ...(isObject(config) && !isFlow && { model_config: config }),
  };
  return { document, version };
}

export function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

export const flowModes: ReadonlySet<string> = new Set(['workflow', 'advanced-chat']);

/** `completed` for this version, by the rules of the platform's source. */
export function importStatus(version: string): 'completed' | 'completed-with-warnings' | 'pending' {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const [ownMajor = 0, ownMinor = 0, ownPatch = 0] = dslVersion.split('.').map(Number);
  const isNewer =
    major > ownMajor ||
    (major === ownMajor && (minor > ownMinor || (minor === ownMinor && patch > ownPatch)));
  if (isNewer || major < ownMajor) return 'pending';
  return minor < ownMinor ? 'completed-with-warnings' : 'completed';
}

const defaultFace = {
  description: '',
  icon: '🤖',
  icon_background: '#FFEAD5',
  icon_type: 'emoji',
  use_icon_as_answer_icon: false,
};

export function documentOf({ name, describe, mode, form = [], opening = '' }: ScriptedApp): AppDocument {
  const app = { ...defaultFace, name, description: describe, mode };
  if (!flowModes.has(mode)) {
    return {
      app,
      dependencies: [],
      model_config: {
        agent_mode: { enabled: mode === 'agent-chat', tools: [] },
        model: { completion_params: {}, mode: 'chat', name: 'scripted', provider: 'sandbox/sandbox/sandbox' },
        opening_statement: opening,
        pre_prompt: 'You are a helpful script.',
        user_input_form: form.map(({ kind, ...fields }) => ({ [kind]: { ...fields } })),
      },
    };
  }
  return {
    app,
    dependencies: [],
    workflow: {
      conversation_variables: [],
      environment_variables: [],
      features: { file_upload: { enabled: false }, opening_statement: opening },
      graph: { ...graphOf(mode, form), viewport: { x: 0, y: 0, zoom: 1 } },
      rag_pipeline_variables: [],
    },
  };
}

/** An agent of the new kind: no list shows it and no call runs it (recorded; its DSL was cut there). */
export const newAgent: AppDocument = {
  app: { ...defaultFace, name: 'Agent of the new kind', mode: 'agent' },
  dependencies: [],
  agent: {
    agent: { package_ref: 'agent_1' },
    agent_packages: {
      agent_1: {
        metadata: { ...defaultFace, name: 'Agent of the new kind', role: '' },
        omitted_assets: [],
        schema_version: 1,
        soul: { app_features: {} },
      },
    },
  },
};

function graphOf(mode: string, form: readonly FormEntry[]): Fields {
  const first = form[0]?.variable ?? 'sys.query';
  const prompt = mode === 'workflow' ? `{{#start.${first}#}}` : '{{#sys.query#}}';
  const last =
    mode === 'workflow'
      ? { type: 'end', title: 'End', outputs: [{ variable: 'text', value_selector: ['writer', 'text'] }] }
      : { type: 'answer', title: 'Answer', answer: '{{#writer.text#}}', variables: [] };
  const start = {
    type: 'start',
    title: 'Start',
    variables: form.map(({ kind, ...fields }) => ({ ...fields, type: kind })),
  };
  const writer = {
    ...{ type: 'llm', title: 'Write', context: { enabled: false, variable_selector: [] } },
    model: { completion_params: {}, mode: 'chat', name: 'scripted', provider: 'sandbox/sandbox/sandbox' },
    prompt_template: [
      { role: 'system', text: 'Write briefly.' },
      { role: 'user', text: prompt },
    ],
    vision: { enabled: false },
  };
  const nodes: [string, Fields][] = [
    ['start', start],
    ['writer', writer],
    ['end', last],
  ];
  return {
    nodes: nodes.map(([id, data], index) => nodeOf(id, data, index)),
    edges: [edgeOf('start', 'writer'), edgeOf('writer', 'end')],
  };
}

function nodeOf(id: string, data: Fields, index: number): Fields {
  const position = { x: 80 + index * 300, y: 282 };
  return {
    ...{ id, data: { selected: false, ...data }, type: 'custom', position, positionAbsolute: position },
    ...{ height: 90, width: 244, sourcePosition: 'right', targetPosition: 'left', selected: false },
  };
}

function edgeOf(source: string, target: string): Fields {
  return {
    ...{ id: `${source}-source-${target}-target`, source, target, type: 'custom', zIndex: 0 },
    ...{ sourceHandle: 'source', targetHandle: 'target', data: { isInIteration: false, isInLoop: false } },
  };
}
