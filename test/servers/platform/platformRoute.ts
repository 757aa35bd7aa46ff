import type { RecordedRequest } from '../http/recordedRequest.ts';
import type { Reply } from '../http/reply.ts';
import type { KeyKind } from './platformAuth.ts';

/** Every kind of request, however its path is spelled. */
export const allKinds = [
  'listDatasets',
  'createDataset',
  'getDataset',
  'updateDataset',
  'deleteDataset',
  'retrieve',
  'createByText',
  'createByFile',
  'updateByText',
  'updateByFile',
  'indexingStatus',
  'listDocuments',
  'getDocument',
  'deleteDocument',
  'setDocumentStatus',
  'downloadDocument',
  'downloadDocuments',
  'readFile',
  'listSegments',
  'createSegments',
  'getSegment',
  'updateSegment',
  'deleteSegment',
  'listChildChunks',
  'createChildChunk',
  'updateChildChunk',
  'deleteChildChunk',
  'listMetadata',
  'createMetadata',
  'renameMetadata',
  'deleteMetadata',
  'builtInMetadata',
  'switchBuiltInMetadata',
  'setMetadataValues',
  'listTags',
  'createTag',
  'renameTag',
  'deleteTag',
  'bindTags',
  'unbindTags',
  'tagsOfDataset',
  'listModels',
  'listPipelineSources',
  'uploadPipelineFile',
  'runPipeline',
  'createQueryToken',
  'runQuery',
] as const;

export type RequestKind = (typeof allKinds)[number];

export const uploadKinds: readonly RequestKind[] = [
  'createByText',
  'createByFile',
  'updateByText',
  'updateByFile',
];

export interface Call {
  readonly request: RecordedRequest;
  /** Values of `:uuid` or `:word` in the path. */
  readonly ids: readonly string[];
}

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
type Method = (typeof methods)[number];

export interface PlatformRoute {
  readonly kind: RequestKind;
  readonly method: Method;
  /** `:uuid` and `:word` stand for ids; a malformed UUID does not match, as on the real server. */
  readonly path: string;
  /** The first version that has it. */
  readonly since?: string;
  /** `dataset` by default. */
  readonly key?: KeyKind | 'none';
  /** The whole answer; may throw a PlatformRefusal. */
  answer(call: Call): Reply;
}

/** @param endpoint `GET /v1/datasets`, or with its first version, `GET /v1/datasets/:uuid since 1.3` */
export function route(kind: RequestKind, endpoint: string, answer: (call: Call) => Reply): PlatformRoute {
  return { kind, ...readEndpoint(endpoint), answer };
}

export function readEndpoint(endpoint: string): { method: Method; path: string; since?: string } {
  const [, method, path = '', since] = /^([A-Z]+) (\S+)(?: since (\S+))?$/.exec(endpoint) ?? [];
  const known = methods.find((each) => each === method);
  if (!known) throw new Error(`This is no endpoint: ${endpoint}`);
  return { method: known, path, ...(since !== undefined && { since }) };
}

const uuid = '([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})';

export function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(':uuid', uuid).replaceAll(':word', '([^/]+)')}$`);
}

export function ok(body: object): Reply {
  return { status: 200, body };
}

export const success: Reply = ok({ result: 'success' });

export const noContent: Reply = { status: 204, body: '' };
