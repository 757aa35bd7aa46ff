import { node, type NodeSpec, text } from '../appStep.ts';
import { approvalFields } from '../humanInput.ts';
import type { AppFile } from '../appRecords.ts';
import { generatedFileSize, generatedFileUrl } from '../generatedFiles.ts';
import { type FormEntry, isObject } from '../inputForm.ts';
import type { AppTurn, ScriptedApp } from '../scriptedApp.ts';
import { longText } from '../../../models/longText.ts';

const form: readonly FormEntry[] = [
  { kind: 'paragraph', variable: 'text', label: 'Text to summarise', required: true, max_length: 50_000 },
  {
    kind: 'file',
    variable: 'source',
    label: 'File to summarise as well',
    allowed_file_types: ['document', 'custom'],
    allowed_file_extensions: ['.ts', '.py', '.json'],
    allowed_file_upload_methods: ['local_file', 'remote_url'],
  },
];

const start: NodeSpec = { id: 'start', type: 'start', title: 'Start', seconds: 0.01 };
const count: NodeSpec = { id: 'count', type: 'code', title: 'Count the words', seconds: 0.05 };
const writer: NodeSpec = { id: 'writer', type: 'llm', title: 'Write the summary', seconds: 1.2, tokens: 412 };
const end: NodeSpec = { id: 'end', type: 'end', title: 'End', seconds: 0.01 };

export const summarise: ScriptedApp = {
  mode: 'workflow',
  key: 'app-sandboxworkflow',
  name: 'Summarise',
  describe: 'Summarises a text and a file: gives markdown, counts as JSON and a file.',
  tags: ['writing'],
  form,
  *answer(turn) {
    const source = textOf(turn);
    const words = source.split(/\s+/).filter(Boolean).length;
    const lines = /\b(\d{1,6})\s+lines\b/i.exec(source)?.[1];
    const summary =
      lines === undefined ? summaryOf(source, words) : `# A long summary\n\n${longText(Number(lines) - 2)}`;
    const counts = { words, lines: source.split('\n').length, sources: fileOf(turn) ? 2 : 1 };
    yield* node(start, turn.inputs);
    yield* node(count, counts);
    yield* node(writer, { text: summary }, [text(summary)]);
    yield* node(end, { text: summary });
    const file = summaryFile();
    yield { type: 'files', files: [file] };
    yield { type: 'outputs', outputs: { text: summary, counts, file, files: [file] } };
  },
};

export const failingWorkflow: ScriptedApp = {
  mode: 'workflow',
  key: 'app-sandboxworkflowfails',
  name: 'Summarise with a node that fails',
  describe: 'A workflow whose second node always fails.',
  form,
  *answer(turn) {
    const error = "NameError: name 'tides' is not defined";
    yield* node(start, turn.inputs);
    yield { type: 'nodeStarted', node: count };
    yield { type: 'nodeFinished', node: count, error };
    yield { type: 'failRun', error };
  },
};

export const pausingWorkflow: ScriptedApp = {
  mode: 'workflow',
  key: 'app-sandboxworkflowpauses',
  name: 'Notice to mariners',
  describe: 'A workflow that waits for the harbour master to approve.',
  form: [{ kind: 'text-input', variable: 'notice', label: 'Notice', required: true, max_length: 200 }],
  *answer(turn) {
    yield* node(start, turn.inputs);
    yield* node({ ...writer, title: 'Draft the notice' }, { text: turn.inputs['notice'] });
    const approval: NodeSpec = {
      id: 'approval',
      type: 'human-input',
      title: 'Approval by the harbour master',
    };
    yield { type: 'nodeStarted', node: approval };
    const notice = String(turn.inputs['notice']);
    yield {
      ...{
        type: 'pause',
        formTitle: approval.title,
        formContent: `Publish this?\n\n> ${notice}\n\nComment: {{#$output.comment#}}`,
      },
      fields: approvalFields,
    };
    const { action = '', inputs = {} } = turn.submitted ?? {};
    yield { type: 'nodeFinished', node: approval, outputs: inputs };
    yield { type: 'outputs', outputs: { decision: action, ...inputs } };
  },
};

function summaryOf(source: string, words: number): string {
  const [first = ''] = source.trim().split('\n');
  return `# Summary\n\nA text of ${words} words. It begins:\n\n> ${first.slice(0, 200)}\n`;
}

function textOf(turn: AppTurn): string {
  const attached = fileOf(turn);
  const quoted = attached ? `\n\n${attached.name}\n\n${attached.text ?? attached.url ?? ''}` : '';
  return `${String(turn.inputs['text'])}${quoted}`;
}

function fileOf({ inputs }: AppTurn): AppFile | undefined {
  const value = inputs['source'];
  return isObject(value) ? (value as unknown as AppFile) : undefined;
}

/** The address is relative to the platform, as on sites without a configured one. */
function summaryFile(): object {
  const { id, url } = generatedFileUrl('', 'summary.md');
  return {
    dify_model_identity: '__dify__file__',
    id: null,
    tenant_id: 'sandbox',
    type: 'document',
    transfer_method: 'tool_file',
    remote_url: url,
    related_id: id,
    filename: 'summary.md',
    extension: '.md',
    mime_type: 'text/markdown',
    size: generatedFileSize('summary.md'),
    url,
  };
}
