import * as z from 'zod/mini';
import { asObject, asText, type JsonObject, parseJson } from '../../base/json.ts';
import { loosely } from '../../platform/wire.ts';
import type { AppFile, AppNode, AppRun, AppSource, AppThought, AppUsage } from '../app.ts';

// What app calls answer, read loosely: other keys are ignored, and a field of an unexpected kind counts as absent.

/** Looked at later. */
export const anything = z.optional(z.unknown());

/** Empty text says nothing. */
export const text = loosely(z.string().check(z.minLength(1)));

/** A number, or a number as text. */
export const number = loosely(
  z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^-?\d+(\.\d+)?$/))]),
    z.transform((value) => Number(value)),
  ),
);

/** Text, or a number as text: prices are decimal text, ids may be numbers in forks. */
export const word = loosely(
  z.pipe(z.union([z.string().check(z.minLength(1)), z.number()]), z.transform(String)),
);

/** The objects of a list; everything else in it is skipped. */
export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(asObject).filter((item) => item !== undefined) : [];
}

/** The texts of a list; everything else in it is skipped. */
export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(asText).filter((item) => item !== undefined) : [];
}

/** An object, or JSON text of one: older servers give inputs and outputs of runs as text. */
export function readValues(value: unknown): JsonObject {
  return asObject(typeof value === 'string' ? parseJson(value) : value) ?? {};
}

/** Seconds as milliseconds. */
export function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}

const fileSchema = z.object({
  id: word,
  related_id: word,
  upload_file_id: word,
  filename: text,
  name: text,
  type: text,
  mime_type: text,
  url: text,
  remote_url: text,
  preview_url: text,
  size: number,
});

export function readFile(value: JsonObject): AppFile {
  const wire = fileSchema.parse(value);
  return {
    id: wire.id ?? wire.related_id ?? wire.upload_file_id,
    name: wire.filename ?? wire.name,
    type: wire.type,
    mimeType: wire.mime_type,
    url: wire.url ?? wire.remote_url ?? wire.preview_url,
    // Of files that only have an address the server says -1.
    size: wire.size !== undefined && wire.size >= 0 ? wire.size : undefined,
  };
}

/** Whether a value of a run's outputs is a file: it says so itself, or has what only files have. */
export function isOutputFile(value: unknown): value is JsonObject {
  const object = asObject(value);
  if (!object) return false;
  if (object['dify_model_identity'] === '__dify__file__') return true;
  const { url, remote_url, transfer_method } = object;
  return typeof transfer_method === 'string' && (typeof url === 'string' || typeof remote_url === 'string');
}

const sourceSchema = z.object({
  position: number,
  dataset_id: word,
  dataset_name: text,
  document_id: word,
  document_name: text,
  title: text,
  segment_id: word,
  score: number,
  content: text,
});

export function readSources(value: unknown): AppSource[] {
  return objectsIn(value).map((item) => {
    const wire = sourceSchema.parse(item);
    return {
      position: wire.position,
      datasetId: wire.dataset_id,
      datasetName: wire.dataset_name,
      documentId: wire.document_id,
      documentName: wire.document_name ?? wire.title,
      segmentId: wire.segment_id,
      score: wire.score,
      content: wire.content,
    };
  });
}

const usageSchema = z.object({
  prompt_tokens: number,
  completion_tokens: number,
  total_tokens: number,
  total_price: word,
  currency: text,
});

/** Undefined when nothing was counted. */
export function readUsage(value: unknown): AppUsage | undefined {
  const object = asObject(value);
  if (!object) return undefined;
  const wire = usageSchema.parse(object);
  const usage: AppUsage = {
    promptTokens: wire.prompt_tokens,
    completionTokens: wire.completion_tokens,
    totalTokens: wire.total_tokens,
    price: wire.total_price,
    currency: wire.currency,
  };
  return Object.values(usage).some((counted) => counted !== undefined) ? usage : undefined;
}

const thoughtSchema = z.object({
  id: word,
  position: number,
  thought: text,
  tool: text,
  tool_labels: loosely(z.record(z.string(), z.unknown())),
  tool_input: anything,
  observation: anything,
});

/** The thought with what this telling of it adds to what was known. */
export function readThought(value: JsonObject, known?: AppThought): AppThought {
  const wire = thoughtSchema.parse(value);
  const tool = wire.tool ?? known?.tool;
  return {
    id: wire.id ?? known?.id ?? '',
    position: wire.position ?? known?.position ?? 0,
    thought: wire.thought ?? known?.thought ?? '',
    tool,
    toolLabel: labelOf(tool, wire.tool_labels) ?? known?.toolLabel,
    toolInput: asJsonText(wire.tool_input) ?? known?.toolInput,
    observation: asJsonText(wire.observation) ?? known?.observation,
  };
}

/** Labels are by tool and then by language; several tools are joined by `;`. */
function labelOf(tool: string | undefined, labels: JsonObject | undefined): string | undefined {
  const names = (tool ?? '').split(';').flatMap((name) => {
    const label = labels?.[name];
    return asText(label) ?? asText(asObject(label)?.['en_US']) ?? [];
  });
  return names.length > 0 ? names.join(', ') : undefined;
}

function asJsonText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const nodeSchema = z.object({
  id: word,
  node_id: word,
  node_type: text,
  title: text,
  index: number,
  status: text,
  error: text,
  elapsed_time: number,
  total_tokens: number,
  execution_metadata: loosely(z.object({ total_tokens: number })),
});

const nodeStatuses: Readonly<Record<string, AppNode['status']>> = {
  pending: 'running',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  exception: 'failed',
  stopped: 'stopped',
  paused: 'paused',
  retry: 'retrying',
};

/** A node of a flow; `status` is what the event means when the data does not say. */
export function readNode(data: JsonObject, status: AppNode['status'], known?: AppNode): AppNode {
  const wire = nodeSchema.parse(data);
  return {
    id: wire.id ?? wire.node_id ?? '',
    nodeId: wire.node_id ?? known?.nodeId ?? '',
    nodeType: wire.node_type ?? known?.nodeType ?? '',
    title: wire.title ?? known?.title ?? wire.node_type ?? wire.node_id ?? '',
    index: known?.index ?? wire.index,
    round: known?.round,
    // A retry is reported with the status the node has in itself.
    status:
      status === 'retrying' || wire.status === undefined ? status : (nodeStatuses[wire.status] ?? 'unknown'),
    error: wire.error,
    elapsedMs: toMs(wire.elapsed_time),
    tokens: wire.execution_metadata?.total_tokens ?? wire.total_tokens,
  };
}

/** An iteration or a loop, of this type if it does not say; its `index` is the round it is in, counted from 0. */
export function readLoop(
  data: JsonObject,
  status: AppNode['status'],
  nodeType: string,
  known?: AppNode,
): AppNode {
  const { index, ...node } = readNode(data, status, known);
  const isRunning = status === 'running';
  return {
    ...node,
    nodeType: node.nodeType || nodeType,
    round: isRunning && index !== undefined ? index + 1 : known?.round,
    // Only its end tells how it went.
    status: isRunning ? status : node.status,
  };
}

const runSchema = z.object({
  id: word,
  status: text,
  inputs: anything,
  outputs: anything,
  error: text,
  elapsed_time: number,
  total_tokens: number,
  total_steps: number,
  created_at: number,
});

const runStatuses: Readonly<Record<string, AppRun['status']>> = {
  scheduled: 'running',
  running: 'running',
  succeeded: 'succeeded',
  'partial-succeeded': 'partly-succeeded',
  failed: 'failed',
  stopped: 'stopped',
  paused: 'paused',
};

/** A run, of `workflow_finished`, of a blocking answer or of the log. */
export function readRun(data: JsonObject): AppRun {
  const wire = runSchema.parse(data);
  return {
    id: wire.id,
    status: runStatuses[wire.status ?? ''] ?? 'unknown',
    inputs: wire.inputs === undefined ? undefined : readValues(wire.inputs),
    outputs: readValues(wire.outputs),
    error: wire.error,
    elapsedMs: toMs(wire.elapsed_time),
    tokens: wire.total_tokens,
    steps: wire.total_steps,
    createdAtMs: toMs(wire.created_at),
  };
}
