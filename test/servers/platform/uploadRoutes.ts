import * as z from 'zod/mini';
import type { DocumentInput } from './datasetStore.ts';
import { acceptedRecord, displayStatus } from './documentRecord.ts';
import { documentOf, uploadDatasetOf } from './findTargets.ts';
import type { PlatformContext } from './platformContext.ts';
import { invalidParam } from './platformErrors.ts';
import { type Call, ok, type PlatformRoute, type RequestKind } from './platformRoute.ts';
import { objectionToRule, type ProcessRule, processRuleSchema } from './processRule.ts';
import type { DocumentForm, StoredDataset, StoredDocument } from './storedDataset.ts';
import { checkEmbedding, readTechnique } from './techniques.ts';
import { type UploadedFile, readUpload } from './uploadedFile.ts';
import { readJsonBody } from './validation.ts';

const forms: readonly DocumentForm[] = ['text_model', 'hierarchical_model', 'qa_model'];

const textSchema = z.looseObject({ name: z.string(), text: z.string() });
const textUpdateSchema = z.looseObject({ name: z.nullish(z.string()), text: z.nullish(z.string()) });

type Settings = Record<string, unknown>;

export function uploadRoutes(context: PlatformContext): PlatformRoute[] {
  const { store, version } = context;

  return [
    ...spelled('createByText', '/v1/datasets/:uuid/document/create_by_text', (call) => {
      const body = readJsonBody(call.request, version, 'DocumentTextCreatePayload', textSchema);
      const dataset = uploadDatasetOf(context, call);
      return accept(dataset, body, 'text', { name: body.name.slice(0, 200), text: body.text });
    }),
    ...spelled('createByFile', '/v1/datasets/:uuid/document/create_by_file', (call) => {
      const dataset = uploadDatasetOf(context, call);
      const { data, file } = readUpload(context, call.request, false);
      return accept(dataset, data, 'file', file);
    }),
    ...spelled('updateByText', '/v1/datasets/:uuid/documents/:uuid/update_by_text', (call) => {
      const body = readJsonBody(call.request, version, 'DocumentTextUpdate', textUpdateSchema);
      const { dataset, document } = toUpdate(call);
      const { name, text } = body;
      if (text && !name) throw invalidParam('Both text and name must be strings.');
      return update(dataset, document, body, { name: name ?? document.name, text: text ?? document.text });
    }),
    ...spelled('updateByFile', '/v1/datasets/:uuid/documents/:uuid/update_by_file', (call) => {
      const { dataset, document } = toUpdate(call);
      const { data, file } = readUpload(context, call.request, true);
      const { name, text, size, sha256 } = document;
      return update(dataset, document, data, file ?? { name, text, size, sha256 });
    }),
  ];

  function spelled(kind: RequestKind, path: string, answer: (call: Call) => object): PlatformRoute[] {
    const route = { kind, method: 'POST', answer: (call: Call) => ok(answer(call)) } as const;
    const hyphenated = path.replace(/_by_/, '-by-');
    return [
      ...(context.paths === 'hyphen' ? [] : [{ ...route, path }]),
      ...(context.paths === 'underscore' ? [] : [{ ...route, path: hyphenated, since: '0.11' }]),
    ];
  }

  function accept(
    dataset: StoredDataset,
    sent: Settings,
    route: 'text' | 'file',
    content: { name: string; text: string | undefined } | UploadedFile | undefined,
  ): object {
    if (!content) throw invalidParam('');
    const technique = readTechnique(context, dataset, sent['indexing_technique'], route);
    const form = readForm(dataset, sent);
    const isUpdateOf = sent['original_document_id'];
    if (route === 'file' && !isUpdateOf && !dataset.processRule && !sent['process_rule']) {
      throw invalidParam('process_rule is required.');
    }
    const input = { ...content, processRule: readRule(dataset, sent), form, ...readLanguage(sent) };
    if (technique === 'high_quality' && !dataset.embeddingModel) {
      const { model, provider } = checkEmbedding(context, {
        embedding_model: textOf(sent['embedding_model']),
        embedding_model_provider: textOf(sent['embedding_model_provider']),
      });
      dataset.embeddingModel = model;
      dataset.embeddingModelProvider = provider;
    }
    const replaced = toReplace(dataset, input.name, sent, route);
    dataset.technique ??= technique;
    dataset.form ??= form;
    dataset.processRule = input.processRule;
    return stored(dataset, replaced, input);
  }

  function update(
    dataset: StoredDataset,
    document: StoredDocument,
    sent: Settings,
    content: { name: string; text: string | undefined } | UploadedFile,
  ): object {
    const form = readForm(dataset, sent);
    return stored(dataset, document, {
      ...content,
      processRule: readRule(dataset, sent),
      form,
      ...readLanguage(sent),
    });
  }

  function stored(
    dataset: StoredDataset,
    replaced: StoredDocument | undefined,
    input: DocumentInput,
  ): object {
    const fate = context.misbehaviours.fateOf(dataset, input.name);
    if (!replaced) return acceptedRecord(context, dataset, store.addDocument(dataset, input, fate));
    store.replaceDocument(dataset, replaced, input, fate);
    return acceptedRecord(context, dataset, replaced);
  }

  function toUpdate(call: Call): { dataset: StoredDataset; document: StoredDocument } {
    const dataset = uploadDatasetOf(context, call);
    const document = documentOf(dataset, call, 'Document not found');
    if (displayStatus(document, store.now()) !== 'available') throw invalidParam('Document is not available');
    return { dataset, document };
  }
}

/** The target of an upload: an enabled document of the same name, or the given one. */
function toReplace(
  dataset: StoredDataset,
  name: string,
  sent: Settings,
  route: 'text' | 'file',
): StoredDocument | undefined {
  const original = sent['original_document_id'];
  if (typeof original === 'string' && original !== '') {
    const document = dataset.documents.find(({ id }) => id === original);
    if (!document) throw invalidParam('Document not found');
    return document;
  }
  if (route === 'file' && sent['duplicate'] === false) return undefined;
  return dataset.documents.find((document) => document.name === name && document.isEnabled);
}

function readForm(dataset: StoredDataset, sent: Settings): DocumentForm {
  const wanted = sent['doc_form'] ?? 'text_model';
  const form = forms.find((known) => known === wanted);
  if (!form) throw invalidParam('Invalid doc_form.');
  if (dataset.form && dataset.form !== form) {
    throw invalidParam('doc_form is different from the dataset doc_form.');
  }
  return form;
}

/** The rule sent, else the knowledge base's last one, else automatic. */
function readRule(dataset: StoredDataset, sent: Settings): ProcessRule {
  const rule = sent['process_rule'];
  if (rule === undefined || rule === null) return dataset.processRule ?? { mode: 'automatic' };
  const objection = objectionToRule(rule);
  if (objection !== undefined) throw invalidParam(objection);
  return z.parse(processRuleSchema, rule);
}

function readLanguage(sent: Settings): { language: string } {
  return { language: textOf(sent['doc_language']) ?? 'English' };
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}
