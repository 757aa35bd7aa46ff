import { flowText, modelNode, plainNodes } from './flowText.ts';

const withNode = (node: Record<string, unknown>) => flowText({ nodes: [...plainNodes(), node] });

/** Each expects one problem, as `the place's text | message`. */
export const brokenFlows: readonly (readonly [what: string, text: string, expected: RegExp])[] = [
  ['text that is no YAML', `${flowText()}x: [`, /YAML: /],
  ['an item that is no YAML', flowText().replace('title: Write', "title: 'Write"), /YAML: /],
  ['no mapping', 'just text', /not a YAML mapping/],
  ['a missing app', 'version: 0.7.0\nkind: app\n', /"app" is missing/],
  [
    'a mode that cannot be pushed',
    flowText({ app: { mode: 'chat' } }),
    /^chat \| Only workflows and chatflows/,
  ],
  [
    'a version that is no text',
    flowText({ version: 0.7 }),
    /^0\.7 \| The version must be text. Write '0\.7'/,
  ],
  ['a version that is none', flowText({ version: 'abc' }), /^abc \| "abc" is not a DSL version/],
  [
    'a newer version',
    flowText({ version: '9.9.0' }),
    /^9\.9\.0 \| DSL version 9\.9\.0 is newer than 0\.7\.0/,
  ],
  ['a missing version', flowText().replace(/^version.*\n/m, ''), /version is missing/],
  [
    'a missing graph',
    flowText().replace(/^ {2}graph:[^]*?(?=^version|$(?![^]))/m, ''),
    /"workflow\.graph" is missing/,
  ],
  ['no start', flowText({ nodes: [], edges: [] }), /No node starts the flow/],
  [
    'an edge from nowhere',
    flowText({ edges: [['gone', 'llm']] }),
    /^gone \| The edge's source "gone" is not/,
  ],
  ['an edge to nowhere', flowText({ edges: [['llm', 'gone']] }), /^gone \| The edge's target "gone" is not/],
  ['an edge without a target', flowText().replace(/^ {6}target: end\n/m, ''), /The edge has no target/],
  [
    'two nodes of one id',
    withNode({ id: 'llm', type: 'llm', title: 'Twin' }),
    /^llm \| Another node has the id "llm"/,
  ],
  ['a node without a type', withNode({ id: 'x', title: 'X' }), /The node has no type/],
  [
    'a node that is not there',
    withNode(modelNode('m', 'M', '{{#gone.text#}}')),
    /^'?\{\{#gone.* \| LLM "M" uses the node "gone"/,
  ],
  [
    'an input that is not there',
    withNode(modelNode('m', 'M', '{{#start.other#}}')),
    /uses "other", which Start "Start" does not have/,
  ],
  [
    'a secret that is not there',
    withNode(modelNode('m', 'M', '{{#env.NO#}}')),
    /uses "NO", which the environment does not have/,
  ],
  [
    'an output that code does not give',
    flowText({
      nodes: [
        ...plainNodes(),
        { id: 'c', type: 'code', title: 'C', outputs: { result: { type: 'string' } } },
        { id: 'e2', type: 'end', title: 'E', outputs: [{ variable: 'x', value_selector: ['c', 'wrong'] }] },
      ],
    }),
    /^- c \| Output "E" uses "wrong", which Code "C" does not have/,
  ],
];
