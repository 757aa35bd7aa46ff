import * as z from 'zod/mini';
import { withSlashes } from '../../base/files/safeFileName.ts';
import { asObject, asText, type JsonObject, parseJson } from '../../base/json.ts';
import { loosely } from '../../base/lenientSchemas.ts';
import type { AppFile, AppStep, AppRun, AppSource, AppThought, AppUsage, StepNode } from '../app.ts';

// Lenient readers of app replies: unknown keys are ignored, and a field of the wrong type counts as absent.

export const anything = z.optional(z.unknown());

export const text = loosely(z.string().check(z.minLength(1)));

export const number = loosely(
  z.pipe(
    z.union([z.number(), z.string().check(z.regex(/^-?\d+(\.\d+)?$/))]),
    z.transform((value) => Number(value)),
  ),
);

/** Text, or a number as text: prices are decimal text, and forks may use numeric ids. */
export const word = loosely(
  z.pipe(z.union([z.string().check(z.minLength(1)), z.number()]), z.transform(String)),
);

export function objectsIn(value: unknown): JsonObject[] {
  return Array.isArray(value) ? value.map(asObject).filter((item) => item !== undefined) : [];
}

export function textsIn(value: unknown): string[] {
  return Array.isArray(value) ? value.map(asText).filter((item) => item !== undefined) : [];
}

/** An object, or JSON text of one: older servers send a run's inputs and outputs as text. */
export function readValues(value: unknown): JsonObject {
  return asObject(typeof value === 'string' ? parseJson(value) : value) ?? {};
}

export function toMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000);
}

const fileSchema = z.object({
  id: word,
  related_id: word,
  upload_file_id: word,
  filename: text,
  name: text,
  mime_type: text,
  url: text,
  remote_url: text,
  preview_url: text,
  size: number,
});

export function readFile(value: JsonObject, baseUrl: string): AppFile {
  const wire = fileSchema.parse(value);
  const url = wire.url ?? wire.remote_url ?? wire.preview_url;
  const address = openableAddress(url, baseUrl);
  return {
    id: wire.id ?? wire.related_id ?? wire.upload_file_id,
    name: wire.filename ?? wire.name ?? (address ? lastSegmentOf(address) : (url ?? '')),
    mimeType: wire.mime_type,
    address,
    // Files with only an address have size -1.
    size: wire.size !== undefined && wire.size >= 0 ? wire.size : undefined,
  };
}

function openableAddress(url: string | undefined, baseUrl: string): string | undefined {
  if (!url || !URL.canParse(url, `${baseUrl}/`)) return undefined;
  const { protocol, href } = new URL(url, `${baseUrl}/`);
  return protocol === 'https:' || protocol === 'http:' ? href : undefined;
}

function lastSegmentOf(address: string): string {
  return new URL(address).pathname.split('/').at(-1) || address;
}

/** True if an output value is a file: by its own marker, or by fields that only files have. */
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
    const name = wire.document_name ?? wire.title;
    return {
      position: wire.position,
      datasetId: wire.dataset_id,
      datasetName: wire.dataset_name,
      documentId: wire.document_id,
      documentName: name && withSlashes(name),
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

export function readThought(value: JsonObject, known?: AppThought): AppThought {
  const wire = thoughtSchema.parse(value);
  const tool = wire.tool ?? known?.tool;
  const input = ofTool(wire.tool_input, tool);
  return {
    id: wire.id ?? known?.id ?? '',
    position: wire.position ?? known?.position ?? 0,
    thought: wire.thought ?? known?.thought ?? '',
    tool,
    toolLabel: labelOf(tool, wire.tool_labels) ?? known?.toolLabel,
    // A lone word under the tool's name is no set of arguments.
    toolInput: asJsonText(asObject(input) ? input : wire.tool_input) ?? known?.toolInput,
    observation: asJsonText(ofTool(wire.observation, tool)) ?? known?.observation,
  };
}

/** Agents that call functions nest arguments and results under tool names, even for one tool. */
function ofTool(value: unknown, tool: string | undefined): unknown {
  const entries = Object.entries(asObject(typeof value === 'string' ? parseJson(value) : value) ?? {});
  const [only] = entries;
  return only && entries.length === 1 && only[0] === tool ? only[1] : value;
}

/** Labels are by tool, then by language; several tools are joined by `;`. */
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

const stepSchema = z.object({
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

const stepStatuses: Readonly<Record<string, AppStep['status']>> = {
  pending: 'running',
  running: 'running',
  succeeded: 'succeeded',
  failed: 'failed',
  exception: 'failed',
  stopped: 'stopped',
  paused: 'paused',
  retry: 'retrying',
};

/** `status`: implied by the event. `loop`: kind of an iteration or a loop, whose `index` is its 0-based round. */
export function readStep(
  data: JsonObject,
  { status, loop }: { status: AppStep['status']; loop?: string | undefined },
  find: (id: string) => AppStep | undefined,
): AppStep {
  const wire = stepSchema.parse(data);
  const id = wire.id ?? wire.node_id ?? '';
  const known = find(id);
  const isRunning = status === 'running';
  // Retries report the step's own status, and loops that of the step in them.
  const isImplied = wire.status === undefined || status === 'retrying' || (loop !== undefined && isRunning);
  const isNewRound = loop !== undefined && isRunning && wire.index !== undefined;
  const retries = (known?.retries ?? 0) + (status === 'retrying' ? 1 : 0);
  return {
    id,
    title: wire.title ?? known?.title ?? wire.node_type ?? wire.node_id ?? '',
    kind: wire.node_type ?? (known?.kind || (loop ?? '')),
    status: isImplied ? status : (stepStatuses[wire.status ?? ''] ?? 'unknown'),
    error: wire.error,
    elapsedMs: toMs(wire.elapsed_time),
    tokens: wire.execution_metadata?.total_tokens ?? wire.total_tokens,
    round: isNewRound ? (wire.index ?? 0) + 1 : known?.round,
    ...(retries > 0 && { retries }),
  };
}

export function readStepNode({ node_id: nodeId, inputs }: JsonObject): StepNode | undefined {
  const id = asText(nodeId);
  const values = asObject(inputs);
  return id === undefined ? undefined : { id, ...(values && { inputs: values }) };
}

const agentSchema = z.object({
  id: word,
  label: text,
  status: text,
  error: text,
  parent_id: word,
  data: anything,
  metadata: loosely(z.object({ elapsed_time: number, total_tokens: number })),
});

const agentStatuses: Readonly<Record<string, AppStep['status']>> = {
  start: 'running',
  success: 'succeeded',
  error: 'failed',
};

const maxDepth = 5;

export function readAgentStep(data: JsonObject, find: (id: string) => AppStep | undefined): AppStep {
  const wire = agentSchema.parse(data);
  const id = wire.id ?? '';
  const known = find(id);
  const parent = wire.parent_id === undefined ? undefined : find(wire.parent_id);
  const entries = Object.entries(asObject(wire.data) ?? {});
  const detail = entries.length > 0 ? detailOf(entries) : known?.detail;
  return {
    id,
    title: wire.label ?? known?.title ?? '',
    kind: 'agent',
    status: agentStatuses[wire.status ?? ''] ?? 'unknown',
    depth: known?.depth ?? Math.min((parent?.depth ?? 0) + 1, maxDepth),
    ...(detail !== undefined && { detail }),
    ...(wire.error !== undefined && { error: wire.error }),
    ...(wire.metadata?.elapsed_time !== undefined && { elapsedMs: toMs(wire.metadata.elapsed_time) }),
    ...(wire.metadata?.total_tokens !== undefined && { tokens: wire.metadata.total_tokens }),
  };
}

function detailOf(entries: readonly [name: string, value: unknown][]): string {
  const [only] = entries;
  if (entries.length === 1 && typeof only?.[1] === 'string') return only[1];
  return entries
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n');
}

const runSchema = z.object({
  id: word,
  workflow_id: word,
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

export function readRun(data: JsonObject): AppRun {
  const wire = runSchema.parse(data);
  return {
    id: wire.id,
    workflowId: wire.workflow_id,
    status: runStatuses[wire.status ?? ''] ?? 'unknown',
    inputs: wire.inputs === undefined ? undefined : readValues(wire.inputs),
    outputs: readValues(wire.outputs),
    error: wire.error,
    elapsedMs: toMs(wire.elapsed_time),
    tokens: wire.total_tokens,
    stepCount: wire.total_steps,
    createdAtMs: toMs(wire.created_at),
  };
}
