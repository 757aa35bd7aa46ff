import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { invalidParam, notFound, refusal } from '../platformErrors.ts';
import { ok, success } from '../platformRoute.ts';
import { readJsonBody } from '../validation.ts';
import type { AppContext } from './appContext.ts';
import type { StoredMessage } from './appRecords.ts';
import { type AppRoute, appRoute, chatModes, requireMode, userOf } from './appRoute.ts';
import { checkConversationId } from './conversationRoutes.ts';
import { fileToWire } from './fileToWire.ts';
import { limitOf } from './pageAfter.ts';

const feedbackSchema = z.looseObject({
  rating: z.nullish(z.enum(['like', 'dislike'])),
  content: z.nullish(z.string()),
});

const annotationSchema = z.looseObject({ question: z.string(), answer: z.string() });

export function messageRoutes({ store, version }: AppContext): AppRoute[] {
  return [
    appRoute('GET /v1/messages', (call) => {
      const { app, request } = call;
      const user = userOf(call, 'query');
      requireMode(call, chatModes, 'not_chat_app');
      const id = checkConversationId(request.query.get('conversation_id'));
      const limit = limitOf(request.query.get('limit'));
      const { messages } = store.conversation(app, user, id);
      const firstId = request.query.get('first_id');
      const end = firstId ? messages.findIndex((message) => message.id === firstId) : messages.length;
      if (end === -1) throw notFound('First Message Not Exists.');
      const begin = Math.max(0, end - limit);
      const data = messages
        .slice(begin, end)
        .map((message, index) => toWire(message, messages[begin + index - 1]));
      return ok({ limit, has_more: begin > 0, data });
    }),
    appRoute('GET /v1/messages/:uuid/suggested', (call) => {
      const user = userOf(call, 'query', 'required');
      requireMode(call, chatModes, 'not_chat_app');
      store.message(call.app, user, call.ids[0] ?? '');
      const { followUps } = call.app;
      if (!followUps) throw refusal(400, 'bad_request', 'Suggested Questions Is Disabled.');
      return ok({ result: 'success', data: followUps });
    }),
    appRoute('POST /v1/messages/:uuid/feedbacks', (call) => {
      const user = userOf(call, 'json', 'required');
      const { rating, content } = readJsonBody(
        call.request,
        version,
        'MessageFeedbackPayload',
        feedbackSchema,
      );
      const message = store.message(call.app, user, call.ids[0] ?? '');
      if (!rating) {
        if (!message.feedback) throw invalidParam('rating cannot be None when feedback not exists');
        message.feedback = undefined;
        return success;
      }
      const now = store.seconds();
      const { id = randomUUID(), createdAt = now } = message.feedback ?? {};
      message.feedback = { id, rating, content: content ?? null, createdAt, updatedAt: now };
      return success;
    }),
    // From the published description and the source; not recorded.
    appRoute('POST /v1/apps/annotations since 1.3', ({ app, request }) => {
      const sent = readJsonBody(request, version, 'AnnotationCreatePayload', annotationSchema);
      const annotation = {
        ...{ id: randomUUID(), app: app.key, question: sent.question, answer: sent.answer },
        ...{ hits: 0, createdAt: store.seconds() },
      };
      store.annotations.push(annotation);
      const { id, question, answer, hits, createdAt } = annotation;
      return {
        ...ok({ id, question, answer, hit_count: hits, created_at: createdAt }),
        status: 201,
      };
    }),
    appRoute('GET /v1/app/feedbacks since 1.4', ({ app, request }) => {
      const page = Number(request.query.get('page') ?? 1);
      const limit = limitOf(request.query.get('limit'));
      const rated = store.messages.filter((message) => message.app === app.key && message.feedback);
      const data = rated
        .toReversed()
        .slice((page - 1) * limit, page * limit)
        .map(feedbackToWire);
      return ok({ data });
    }),
  ];
}

function toWire(message: StoredMessage, parent: StoredMessage | undefined): object {
  const { inputs, files, feedback, error } = message;
  return {
    id: message.id,
    conversation_id: message.conversation?.id,
    parent_message_id: parent?.id ?? '00000000-0000-0000-0000-000000000000',
    inputs: Object.fromEntries(
      Object.entries(inputs).map(([variable, value]) => [variable, fileToWire(value)]),
    ),
    query: message.query,
    answer: message.answer,
    message_files: files.map((file) => ({
      id: randomUUID(),
      filename: file.name,
      type: file.type,
      url: file.url ?? `/files/${file.id}/file-preview?sign=sandbox`,
      mime_type: file.mimeType,
      size: file.size,
      transfer_method: file.method,
      belongs_to: 'user',
      upload_file_id: file.method === 'local_file' ? file.id : null,
    })),
    feedback: feedback ? { rating: feedback.rating } : null,
    retriever_resources: message.sources,
    agent_thoughts: message.thoughts,
    created_at: message.createdAt,
    status: error === undefined ? 'normal' : 'error',
    error: error ?? null,
    extra_contents: [],
  };
}

function feedbackToWire({ app, user, id, conversation, feedback }: StoredMessage): object {
  return {
    id: feedback?.id,
    app_id: app,
    conversation_id: conversation?.id ?? null,
    message_id: id,
    rating: feedback?.rating,
    content: feedback?.content ?? null,
    from_source: 'user',
    from_end_user_id: user,
    from_account_id: null,
    created_at: isoTime(feedback?.createdAt),
    updated_at: isoTime(feedback?.updatedAt),
  };
}

function isoTime(seconds = 0): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19);
}
