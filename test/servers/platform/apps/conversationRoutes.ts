import * as z from 'zod/mini';
import { invalidParam, notFound, refusal } from '../platformErrors.ts';
import { noContent, ok, success } from '../platformRoute.ts';
import { invalidFields, readJsonBody } from '../validation.ts';
import { uuidPattern } from './answerSchemas.ts';
import type { AppContext } from './appContext.ts';
import type { StoredConversation, StoredVariable, VariableValue } from './appRecords.ts';
import { type AppCall, type AppRoute, appRoute, chatModes, requireMode, userOf } from './appRoute.ts';
import { conversationName } from './conversationName.ts';
import { isObject } from './inputForm.ts';
import { fileToWire } from './fileToWire.ts';
import { pageAfter } from './pageAfter.ts';

const renameSchema = z.looseObject({ name: z.nullish(z.string()), auto_generate: z.nullish(z.boolean()) });
export function conversationRoutes({ store, version }: AppContext): AppRoute[] {
  return [
    appRoute('GET /v1/conversations', (call) => {
      const user = userOf(call, 'query');
      requireMode(call, chatModes, 'not_chat_app');
      const { query } = call.request;
      const own = store.conversations.filter((one) => one.app === call.app.key && one.user === user);
      const sortBy = query.get('sort_by') ?? '-updated_at';
      if (!/^-?(created|updated)_at$/.test(sortBy)) throw wrongOrder(sortBy);
      const sorted = own.toSorted(comparison(sortBy));
      return ok(pageAfter(sorted, query, toWire, 'Last Conversation Not Exists.'));
    }),
    appRoute('DELETE /v1/conversations/:uuid', (call) => {
      store.removeConversation(conversationOf(call, 'json'));
      return version.isAtLeast('1.3') ? noContent : success;
    }),
    appRoute('POST /v1/conversations/:uuid/name', (call) => {
      requireMode(call, chatModes, 'not_chat_app');
      const { name, auto_generate: isAutomatic } = readJsonBody(
        call.request,
        version,
        'ConversationRenamePayload',
        renameSchema,
      );
      if (!isAutomatic && !name?.trim()) {
        const reason = 'Value error, name is required when auto_generate is false';
        throw version.isAtLeast('1.11')
          ? invalidFields(version, 'ConversationRenamePayload', [
              { field: 'name', reason, type: 'value_error', input: name },
            ])
          : invalidParam('name is required when auto_generate is false');
      }
      const conversation = conversationOf(call, 'json');
      conversation.name = isAutomatic
        ? conversationName(conversation.messages[0]?.query ?? '')
        : (name ?? '').trim();
      store.touch(conversation);
      return ok(toWire(conversation));
    }),
    appRoute('GET /v1/conversations/:uuid/variables since 1.4', (call) => {
      requireMode(call, chatModes, 'not_chat_app');
      const { query } = call.request;
      const { variables, createdAt } = conversationOf(call, 'query');
      const wanted = query.get('variable_name');
      const named = variables.filter(({ name }) => !wanted || name === wanted);
      const page = pageAfter(named, query, (one) => variableToWire(one, createdAt), 'Variable Not Exists.');
      return ok(page);
    }),
    appRoute('PUT /v1/conversations/:uuid/variables/:uuid since 1.8', (call) => {
      requireMode(call, chatModes, 'not_chat_app');
      const { value } = readJsonBody(
        call.request,
        version,
        'ConversationVariableUpdatePayload',
        z.looseObject({ value: z.optional(z.unknown()) }),
      );
      const { variables, createdAt } = conversationOf(call, 'json');
      const variable = variables.find(({ id }) => id === call.ids[1]);
      if (!variable) throw notFound('Conversation Variable Not Exists.');
      setValue(variable, value);
      variable.updatedAt = store.seconds();
      return ok(variableToWire(variable, createdAt));
    }),
  ];

  function wrongOrder(input: string): Error {
    const reason = "Input should be 'created_at', '-created_at', 'updated_at' or '-updated_at'";
    const mistake = { field: 'sort_by', reason, type: 'literal_error', input } as const;
    return invalidFields(version, 'ConversationListQuery', [mistake]);
  }

  function conversationOf(call: AppCall, where: 'query' | 'json'): StoredConversation {
    const user = userOf(call, where);
    requireMode(call, chatModes, 'not_chat_app');
    return store.conversation(call.app, user, call.ids[0] ?? '');
  }
}

export function checkConversationId(id: string | null): string {
  if (id === null || !uuidPattern.test(id)) throw invalidParam('conversation_id must be a valid UUID');
  return id;
}

function comparison(sortBy: string): (a: StoredConversation, b: StoredConversation) => number {
  const key = sortBy.endsWith('created_at') ? 'createdOrder' : 'updatedOrder';
  return sortBy.startsWith('-') ? (a, b) => b[key] - a[key] : (a, b) => a[key] - b[key];
}

function toWire({ id, name, inputs, createdAt, updatedAt }: StoredConversation): object {
  const wireInputs = Object.fromEntries(
    Object.entries(inputs).map(([variable, value]) => [variable, fileToWire(value)]),
  );
  const times = { created_at: createdAt, updated_at: updatedAt };
  return { id, name, inputs: wireInputs, status: 'normal', introduction: '', ...times };
}

function variableToWire(
  { id, name, description, value, updatedAt }: StoredVariable,
  createdAt: number,
): object {
  const times = { created_at: createdAt, updated_at: updatedAt };
  const shown = typeof value === 'string' ? value : pythonText(value);
  return { id, name, value_type: typeOf(value), value: shown, description, ...times };
}

function setValue(variable: StoredVariable, value: unknown): void {
  const expected = typeOf(variable.value);
  if (!isValue(value) || typeOf(value) !== expected) {
    const got = `Type mismatch: variable '${variable.name}' expects ${expected}, but got ${typeOf(value)} type`;
    throw refusal(400, 'bad_request', got);
  }
  variable.value = value;
}

function isValue(value: unknown): value is VariableValue {
  return ['string', 'number', 'array[string]', 'object'].includes(typeOf(value));
}

function typeOf(value: unknown): string {
  if (Array.isArray(value))
    return value.every((one) => typeof one === 'string') ? 'array[string]' : 'array[any]';
  return value === null ? 'none' : typeof value;
}

/** Measured on 1.9.2 and 1.16.1: values are written by Python's `str`, lists and objects as well. */
function pythonText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
  if (isObject(value)) {
    const entries = Object.entries(value).map(([key, one]) => `${pythonText(key)}: ${pythonText(one)}`);
    return `{${entries.join(', ')}}`;
  }
  if (typeof value === 'string') {
    const escaped = value.replace(/\\/g, '\\\\').replace(/\n/g, '\\n');
    return value.includes("'") && !value.includes('"') ? `"${escaped}"` : `'${escaped.replace(/'/g, "\\'")}'`;
  }
  if (value === null) return 'None';
  return typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);
}
