import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import type { StoredTag } from './datasetStore.ts';
import { datasetOf } from './findTargets.ts';
import { invalidParam, notFound } from './platformErrors.ts';
import type { PlatformContext } from './platformContext.ts';
import { noContent, ok, type PlatformRoute, route } from './platformRoute.ts';
import type { StoredDataset } from './storedDataset.ts';
import { readJsonBody } from './validation.ts';

const name = z.string().check(z.minLength(1), z.maxLength(50));
const createSchema = z.looseObject({ name });
const renameSchema = z.looseObject({ tag_id: z.string(), name });
const deleteSchema = z.looseObject({ tag_id: z.string() });
const bindSchema = z.looseObject({
  tag_ids: z.array(z.string()).check(z.minLength(1)),
  target_id: z.string(),
});
const unbindSchema = z.looseObject({
  tag_id: z.nullish(z.string()),
  tag_ids: z.nullish(z.array(z.string())),
  target_id: z.string(),
});

const path = '/v1/datasets/tags';
const since = '1.4.2';

export function tagRoutes(context: PlatformContext): PlatformRoute[] {
  const { store, version } = context;

  function record({ id, name: text }: StoredTag): object {
    const count = store.datasets.filter(({ tagIds }) => tagIds.has(id)).length;
    // The framework turns the number into text.
    return { id, name: text, type: 'knowledge', binding_count: String(count) };
  }

  /** 1.14 rejects its own answer once it contains a tag. Recorded. */
  const isFaulty = version.isAtLeast('1.14') && !version.isAtLeast('1.15');

  function checkAnswer(model: string, tags: readonly unknown[], isList: boolean): void {
    if (!isFaulty || tags.length === 0) return;
    const errors = tags.map(
      (_, index) =>
        `${isList ? `${index}.` : ''}binding_count\n  Input should be a valid string [type=string_type, input_value=0, input_type=int]\n    For further information visit https://errors.pydantic.dev/2.12/v/string_type`,
    );
    const count = errors.length === 1 ? '1 validation error' : `${errors.length} validation errors`;
    throw invalidParam(`${count} for ${model}\n${errors.join('\n')}`);
  }

  function tagOf(id: string): StoredTag {
    const tag = store.tags.find((one) => one.id === id);
    if (!tag) throw notFound('Tag not found');
    return tag;
  }

  function checkName(text: string): void {
    if (store.tags.some((tag) => tag.name === text)) throw invalidParam('Tag name already exists');
  }

  function targetOf(id: string): StoredDataset {
    const dataset = store.findDataset(id);
    if (!dataset) throw notFound('Dataset not found');
    return dataset;
  }

  return [
    route('listTags', `GET ${path} since ${since}`, () => {
      checkAnswer('list[DataSetTag]', store.tags, true);
      return ok(store.tags.map((tag) => record(tag)));
    }),
    route('createTag', `POST ${path} since ${since}`, ({ request }) => {
      const body = readJsonBody(request, version, 'TagCreatePayload', createSchema);
      checkName(body.name);
      const tag = { id: randomUUID(), name: body.name };
      store.tags.push(tag);
      checkAnswer('DataSetTag', [tag], false);
      return ok(record(tag));
    }),
    route('renameTag', `PATCH ${path} since ${since}`, ({ request }) => {
      const body = readJsonBody(request, version, 'TagUpdatePayload', renameSchema);
      const tag = tagOf(body.tag_id);
      if (tag.name !== body.name) checkName(body.name);
      tag.name = body.name;
      return ok(record(tag));
    }),
    route('deleteTag', `DELETE ${path} since ${since}`, ({ request }) => {
      const tag = tagOf(readJsonBody(request, version, 'TagDeletePayload', deleteSchema).tag_id);
      store.tags.splice(store.tags.indexOf(tag), 1);
      for (const { tagIds } of store.datasets) tagIds.delete(tag.id);
      return noContent;
    }),
    route('bindTags', `POST ${path}/binding since ${since}`, ({ request }) => {
      const body = readJsonBody(request, version, 'TagBindingPayload', bindSchema);
      const { tagIds } = targetOf(body.target_id);
      for (const id of body.tag_ids) tagIds.add(tagOf(id).id);
      return noContent;
    }),
    route('unbindTags', `POST ${path}/unbinding since ${since}`, ({ request }) => {
      const body = readJsonBody(request, version, 'TagUnbindingPayload', unbindSchema);
      // Older versions accept only one id.
      const several = version.isAtLeast('1.14') ? (body.tag_ids ?? []) : [];
      const ids = [...several, ...(body.tag_id ? [body.tag_id] : [])];
      if (ids.length === 0) throw invalidParam('Tag IDs is required.');
      const { tagIds } = targetOf(body.target_id);
      for (const id of ids) tagIds.delete(id);
      return noContent;
    }),
    route('tagsOfDataset', `GET /v1/datasets/:uuid/tags since ${since}`, (call) => {
      const { tagIds } = datasetOf(context, call);
      const data = store.tags.filter(({ id }) => tagIds.has(id)).map((tag) => ({ ...tag }));
      return ok({ data, total: data.length });
    }),
  ];
}
