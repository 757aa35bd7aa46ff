import { randomUUID } from 'node:crypto';
import type { DatasetStore } from './datasetStore.ts';
import type { EmbeddingModel, SeededDataset } from './platformOptions.ts';
import type { StoredDataset, StoredDocument, Technique } from './storedDataset.ts';

/** Changes by others, without a request. Knowledge bases and documents are given by id or name. */
export class OtherPeople {
  readonly #store: DatasetStore;
  readonly #economy: Technique;
  readonly #embedding: EmbeddingModel | undefined;

  constructor(store: DatasetStore, economy: Technique, embedding: EmbeddingModel | undefined) {
    this.#store = store;
    this.#economy = economy;
    this.#embedding = embedding;
  }

  /** @returns its id */
  addDataset({
    dataset: name,
    description,
    technique,
    documents = [],
    isPipeline,
    pipelineInputs = [],
    isPublished = true,
  }: SeededDataset): string {
    const dataset = this.#store.addDataset({
      name,
      description,
      technique: technique ?? this.#economy,
      ...(technique === 'high_quality' && {
        embeddingModel: this.#embedding?.model,
        embeddingModelProvider: this.#embedding?.provider,
      }),
    });
    Object.assign(dataset, { isPipeline: isPipeline === true, pipelineInputs, isPublished });
    for (const document of documents) this.addDocument(name, document);
    return dataset.id;
  }

  /** Indexed at once. @returns its id */
  addDocument(dataset: string, { name, text }: { name: string; text: string }): string {
    const target = this.#dataset(dataset);
    target.form ??= 'text_model';
    target.processRule ??= { mode: 'automatic' };
    const { form, processRule } = target;
    return this.#store.addDocument(target, { name, text, processRule, form }, { pace: 'instant' }).id;
  }

  /** Gives a document new content, indexed at once: same id, new batch. */
  replaceDocument(dataset: string, document: string, text: string): void {
    const { target, found } = this.#document(dataset, document);
    const { name, processRule, form } = found;
    this.#store.replaceDocument(target, found, { name, text, processRule, form }, { pace: 'instant' });
  }

  deleteDocument(dataset: string, document: string): void {
    const { target, found } = this.#document(dataset, document);
    this.#store.deleteDocument(target, found);
  }

  tag(dataset: string, name: string): void {
    let tag = this.#store.tags.find((one) => one.name === name);
    if (!tag) {
      tag = { id: randomUUID(), name };
      this.#store.tags.push(tag);
    }
    this.#dataset(dataset).tagIds.add(tag.id);
  }

  switchApi(dataset: string, isOn: boolean): void {
    this.#dataset(dataset).isApiOn = isOn;
  }

  deleteDataset(dataset: string): void {
    this.#store.deleteDataset(this.#dataset(dataset));
  }

  #dataset(nameOrId: string): StoredDataset {
    const dataset = this.#store.datasets.find(({ id, name }) => id === nameOrId || name === nameOrId);
    if (!dataset) throw new Error(`The sandbox has no knowledge base ${nameOrId}.`);
    return dataset;
  }

  #document(dataset: string, nameOrId: string): { target: StoredDataset; found: StoredDocument } {
    const target = this.#dataset(dataset);
    const found = target.documents.find(({ id, name }) => id === nameOrId || name === nameOrId);
    if (!found) throw new Error(`The sandbox has no document ${nameOrId} in ${target.name}.`);
    return { target, found };
  }
}
