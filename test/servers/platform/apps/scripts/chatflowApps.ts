import { type AppStep, node, type NodeSpec, piece, text } from '../appStep.ts';
import { generatedFileUrl } from '../generatedFiles.ts';
import { approvalFields } from '../humanInput.ts';
import type { AppTurn, ScriptedApp } from '../scriptedApp.ts';
import { reply } from './echo.ts';
import { findPassages, handbook, type Passage, toSources } from './harbourHandbook.ts';

const start: NodeSpec = { id: 'start', type: 'start', title: 'Start', seconds: 0.01 };

/** Like the recorded chatflow: it has a form and needs no model. */
export const echoEverything: ScriptedApp = {
  mode: 'advanced-chat',
  key: 'app-sandboxformflow',
  name: 'Echo everything',
  describe: 'A chatflow with a form, which it repeats.',
  opening: 'Hello, I echo.',
  suggestedQuestions: ['What do you echo?'],
  form: [
    { kind: 'text-input', variable: 'name', label: 'Your name', required: true, max_length: 20 },
    { kind: 'paragraph', variable: 'notes', label: 'Notes', max_length: 500 },
    { kind: 'number', variable: 'count', label: 'How many', required: true },
    { kind: 'select', variable: 'tone', label: 'Tone', required: true, options: ['formal', 'friendly'] },
    { kind: 'checkbox', variable: 'strict', label: 'Strict mode' },
    { kind: 'file', variable: 'doc', label: 'One document', allowed_file_types: ['document'] },
  ],
  *answer(turn) {
    yield* node(start, turn.inputs);
    yield text(reply('Echo everything', turn));
    yield* node({ id: 'answer', type: 'answer', title: 'Answer', seconds: 0.02 });
  },
};

/** Nodes with a retry, an iteration and a loop; reasoning, sources and variables. */
export const guide: ScriptedApp = {
  mode: 'advanced-chat',
  key: 'app-sandboxchatflow',
  name: 'Guide',
  describe:
    'Looks into the harbour handbook node by node and names its sources. "replace" makes it take its answer back, "chart" attaches a picture.',
  tags: ['harbour'],
  icon: { pictureId: '5a1f0a52-7e0a-4d7e-9a54-6d1f6f7c2b11' },
  opening: 'Welcome to the harbour. What would you like to know?',
  suggestedQuestions: ['When does the lock open?', 'Where do visitors berth?'],
  followUps: ['How large should the margin be?', 'Where do visitors berth?'],
  files: { types: ['image', 'document', 'custom'], extensions: ['.md', '.txt'], maxFiles: 3 },
  variables: [
    { name: 'questions', description: 'How many questions were asked', value: 0 },
    { name: 'language', description: 'The language to answer in', value: 'English' },
    { name: 'notes', description: 'What to remember', value: ["the skipper's berth", 'no fenders'] },
    { name: 'boat', description: 'The boat it is about', value: { name: 'Dione', isWet: true, crew: null } },
  ],
  *answer(turn) {
    turn.variables.set('questions', Number(turn.variables.get('questions')) + 1);
    const found = findPassages(turn.query);
    yield* node(start, { 'sys.query': turn.query });
    yield* askGauge();
    yield* node(
      { id: 'retrieve', type: 'knowledge-retrieval', title: `Search the ${handbook}`, seconds: 0.3 },
      { result: found.map(({ content }) => ({ content })) },
    );
    yield* iterate(found);
    yield* loop();

    const writer: NodeSpec = {
      id: 'writer',
      type: 'llm',
      title: 'Write the answer',
      seconds: 1.4,
      tokens: 321,
    };
    yield { type: 'nodeStarted', node: writer };
    yield* think(`The question is about ${found.length} passages of the handbook.`);
    yield text(
      `${reply('Guide', turn)}\n\nThe handbook says: ${found.map(({ content }) => content).join(' ')}`,
    );
    if (/\bchart\b/i.test(turn.query)) yield* attachChart(turn);
    yield {
      type: 'nodeFinished',
      node: writer,
      outputs: { text: 'The answer.', usage: { total_tokens: 321 } },
    };
    if (/\breplace\b/i.test(turn.query)) {
      yield { type: 'replace', text: 'This answer was taken back by the moderation of the app.' };
    }
    yield* node({ id: 'answer', type: 'answer', title: 'Answer', seconds: 0.02 }, { answer: 'The answer.' });
    yield { type: 'sources', sources: toSources(found) };
  },
};

function* askGauge(): Iterable<AppStep> {
  const gauge: NodeSpec = { id: 'gauge', type: 'http-request', title: 'Ask the tide gauge', seconds: 0.8 };
  yield { type: 'nodeStarted', node: gauge };
  yield { type: 'nodeRetried', node: gauge, error: 'Reached maximum retries: the gauge does not answer' };
  yield { type: 'nodeFinished', node: gauge, outputs: { status_code: 200, body: '{"height":2.4}' } };
}

function* iterate(found: readonly Passage[]): Iterable<AppStep> {
  const data = { id: 'iteration', node_id: 'iteration', node_type: 'iteration', title: 'For each passage' };
  yield { type: 'flowEvent', event: 'iteration_started', data: { ...data, inputs: {}, metadata: {} } };
  for (const [round, passage] of found.entries()) {
    yield { type: 'flowEvent', event: 'iteration_next', data: { ...data, index: round } };
    const shorten: NodeSpec = {
      id: 'shorten',
      type: 'template-transform',
      title: `Shorten passage ${round + 1}`,
      within: { iteration_id: 'iteration', round },
    };
    yield* node(shorten, { output: passage.content.slice(0, 40) });
  }
  const ended = { status: 'succeeded', elapsed_time: 0.2, total_tokens: 0, steps: found.length, outputs: {} };
  yield { type: 'flowEvent', event: 'iteration_completed', data: { ...data, ...ended } };
}

function* loop(): Iterable<AppStep> {
  const data = { id: 'loop', node_id: 'loop', node_type: 'loop', title: 'Until the tide fits' };
  yield { type: 'flowEvent', event: 'loop_started', data: { ...data, inputs: {}, metadata: {} } };
  for (const round of [0, 1]) {
    yield { type: 'flowEvent', event: 'loop_next', data: { ...data, index: round } };
    const check: NodeSpec = {
      id: 'check',
      type: 'code',
      title: 'Check the height',
      within: { loop_id: 'loop', round },
    };
    yield* node(check, { fits: round === 1 });
  }
  const ended = { status: 'succeeded', elapsed_time: 0.1, total_tokens: 0, steps: 2, outputs: {} };
  yield { type: 'flowEvent', event: 'loop_completed', data: { ...data, ...ended } };
}

/** Reasoning inside the answer, its tags cut over several events. */
function* think(thought: string): Iterable<AppStep> {
  yield piece('<th');
  yield piece('ink>\n');
  yield text(thought);
  yield piece('\n</thi');
  yield piece('nk>');
  yield piece('\n\n');
}

/** With a file in the answer its text may come as a `message_file` that has no file. */
function* attachChart(turn: AppTurn): Iterable<AppStep> {
  const { id, url } = generatedFileUrl(turn.origin, 'tides.png');
  yield { type: 'text', text: '\n\nThe chart is attached.', whole: true, event: 'message_file' };
  const about = { filename: 'tides.png', type: 'image', mime_type: 'image/png', extension: '.png' };
  const file = { dify_model_identity: '__dify__file__', id, ...about, transfer_method: 'tool_file', url };
  yield { type: 'files', files: [file] };
}

export const pausingGuide: ScriptedApp = {
  mode: 'advanced-chat',
  key: 'app-sandboxchatflowpauses',
  name: 'Berth booking',
  describe: 'A chatflow that asks the harbour master before it says whether there is a berth.',
  *answer(turn) {
    yield* node(start, { 'sys.query': turn.query });
    yield text('I have asked the harbour master. ');
    const approval: NodeSpec = {
      id: 'approval',
      type: 'human-input',
      title: 'Approval by the harbour master',
    };
    yield { type: 'nodeStarted', node: approval };
    yield {
      ...{ type: 'pause', formTitle: approval.title, formContent: `Is there a berth?\n\n> ${turn.query}` },
      fields: approvalFields,
    };
    const { action = '', inputs = {} } = turn.submitted ?? {};
    yield { type: 'nodeFinished', node: approval, outputs: inputs };
    yield text(`The answer is "${action}": ${String(inputs['comment'])}`);
    yield* node({ id: 'answer', type: 'answer', title: 'Answer', seconds: 0.02 });
  },
};

export const failingGuide: ScriptedApp = {
  mode: 'advanced-chat',
  key: 'app-sandboxchatflowfails',
  name: 'Guide whose search fails',
  describe: 'A chatflow that fails in its second node, after a few words.',
  *answer(turn) {
    const retrieve: NodeSpec = {
      id: 'retrieve',
      type: 'knowledge-retrieval',
      title: `Search the ${handbook}`,
    };
    const error = 'The knowledge base of the handbook cannot be reached.';
    yield* node(start, { 'sys.query': turn.query });
    yield text('Let me see. ');
    yield { type: 'nodeStarted', node: retrieve };
    yield { type: 'nodeFinished', node: retrieve, error };
    yield { type: 'failRun', error };
  },
};
