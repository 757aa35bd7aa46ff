import { stringify } from 'yaml';

type Fields = Record<string, unknown>;

export interface FlowSpec {
  app?: Fields;
  version?: unknown;
  nodes?: readonly Fields[];
  edges?: readonly (readonly [source: string, target: string, handle?: string])[];
  environment?: readonly Fields[];
  conversation?: readonly Fields[];
  features?: Fields;
  dependencies?: readonly unknown[];
}

/** A DSL text as the platform exports it: sorted keys, lists at the indentation of their key. */
export function flowText(spec: FlowSpec = {}): string {
  const {
    nodes = plainNodes(),
    edges = [
      ['start', 'llm'],
      ['llm', 'end'],
    ],
    version = '0.7.0',
  } = spec;
  return stringify(
    {
      app: {
        name: 'Small flow',
        mode: 'workflow',
        description: '',
        icon: '🤖',
        icon_type: 'emoji',
        ...spec.app,
      },
      ...{ dependencies: spec.dependencies ?? [], kind: 'app', version },
      workflow: {
        conversation_variables: spec.conversation ?? [],
        environment_variables: spec.environment ?? [],
        features: spec.features ?? {},
        graph: {
          edges: edges.map(([source, target, sourceHandle = 'source']) => ({
            ...{
              id: `${source}-${sourceHandle}-${target}-target`,
              source,
              target,
              sourceHandle,
              targetHandle: 'target',
            },
            ...{ type: 'custom', zIndex: 0, data: { isInIteration: false, isInLoop: false } },
          })),
          nodes: nodes.map(({ id, ...data }, index) => ({
            ...{
              id,
              data: { selected: false, ...data },
              type: 'custom',
              position: { x: 80 + index * 300, y: 282 },
            },
            ...{ height: 90, width: 244 },
          })),
          viewport: { x: 0, y: 0, zoom: 1 },
        },
      },
    },
    {
      ...{ sortMapEntries: true, indentSeq: false, singleQuote: true, blockQuote: false, schema: 'yaml-1.1' },
      aliasDuplicateObjects: false,
    },
  );
}

export function plainNodes(): Fields[] {
  return [
    { id: 'start', type: 'start', title: 'Start', variables: [{ variable: 'topic', type: 'text-input' }] },
    modelNode('llm', 'Write', 'Write about {{#start.topic#}}.'),
    {
      id: 'end',
      type: 'end',
      title: 'End',
      outputs: [{ variable: 'text', value_selector: ['llm', 'text'] }],
    },
  ];
}

export function modelNode(id: string, title: string, text: string, model = 'gpt-4o'): Fields {
  return {
    ...{
      id,
      type: 'llm',
      title,
      context: { enabled: false, variable_selector: [] },
      vision: { enabled: false },
    },
    model: { provider: 'openai', name: model, mode: 'chat', completion_params: { temperature: 0.7 } },
    prompt_template: [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text },
    ],
  };
}

export function largeFlow(
  count: number,
  promptOf: (index: number) => string = (n) => `Do step ${n}. `.repeat(30),
): string {
  const ids = Array.from({ length: count }, (_, index) => `${1_700_000_000_000 + index}`);
  const first = { id: ids[0], type: 'start', title: 'Start', variables: [] };
  return flowText({
    nodes: [
      first,
      ...ids.slice(1).map((id, index) => modelNode(id, `Step ${index + 1}`, promptOf(index + 1))),
    ],
    edges: ids.slice(1).map((id, index) => [ids[index]!, id] as const),
  });
}
