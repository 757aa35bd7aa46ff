import { invalidParam, notFound, refusal } from '../platformErrors.ts';
import { ok } from '../platformRoute.ts';
import type { Reply } from '../../http/reply.ts';
import type { AppContext } from './appContext.ts';
import { type AppCall, type AppRoute, appRoute, requireMode, userOf } from './appRoute.ts';
import { formActions, type PendingForm } from './humanInput.ts';
import { isObject } from './inputForm.ts';
import { LiveRun } from './liveRun.ts';
import type { StoredRun } from './appRecords.ts';

/** Forms of waiting runs, and the events of an earlier run. From the platform's documents and source. */
export function formRoutes(context: AppContext): AppRoute[] {
  const { forms } = context;
  return [
    appRoute('GET /v1/form/human_input/:word since 1.15', (call) => {
      const form = formOf(call);
      const defaults = form.inputs.map(({ output_variable_name: name, default: preset }) => [
        name,
        isObject(preset) ? String(preset['value']) : '',
      ]);
      return ok({
        form_content: form.content,
        inputs: form.inputs,
        resolved_default_values: Object.fromEntries(defaults) as object,
        user_actions: formActions,
        expiration_time: form.expiresAt,
      });
    }),
    appRoute('POST /v1/form/human_input/:word since 1.15', (call) => {
      userOf(call, 'json', 'required');
      const { inputs, action } = isObject(call.request.json) ? call.request.json : {};
      const form = formOf(call);
      if (!isObject(inputs) || typeof action !== 'string') throw invalidParam('Field required');
      if (!formActions.some(({ id }) => id === action)) {
        throw refusal(400, 'invalid_form_data', `Invalid action: ${action}`);
      }
      const missing = form.inputs.filter(({ output_variable_name: name }) => !(name in inputs));
      if (missing.length > 0) throw refusal(400, 'invalid_form_data', 'Missing required inputs');
      form.state = 'submitted';
      form.resume(action, inputs);
      return ok({});
    }),
    appRoute('GET /v1/workflow/:word/events since 1.13', (call) => {
      const user = userOf(call, 'query', 'required');
      requireMode(call, ['workflow', 'advanced-chat'], 'not_workflow_app');
      return followRun(context, call, user);
    }),
  ];

  function formOf({ app, ids }: AppCall): PendingForm {
    const form = forms.find((one) => one.app === app.key && one.token === ids[0]);
    if (!form) throw notFound('Form not found');
    switch (form.state) {
      case 'open':
        return form;
      case 'submitted':
        throw refusal(
          412,
          'human_input_form_submitted',
          'This form has already been submitted by another user.',
        );
      case 'expired':
        throw refusal(412, 'human_input_form_expired', `This form has expired, form_id=${form.token}`);
    }
  }
}

export async function followRun(
  { store, pingMs, shape = (event) => event }: Pick<AppContext, 'store' | 'pingMs' | 'shape'>,
  { app, ids, exchange }: AppCall,
  user: string,
): Promise<Reply | void> {
  const run = store.runs.find((one) => one.app === app.key && one.user === user && one.id === ids[0]);
  if (!run) throw notFound('Workflow run not found');
  // A finished run sends only its end, without its message; a waiting one says so, and the stream ends.
  const noMessage = { conversation_id: undefined, message_id: undefined, created_at: undefined };
  const told = (run.finishedAt === undefined ? pastOf(run) : [{ ...run.live.lastEvent, ...noMessage }]).map(
    (event) => shape(event),
  );
  if (run.finishedAt === undefined && run.status === 'running') {
    return run.live.send(exchange, run.live.length, pingMs, told);
  }
  const over = new LiveRun();
  for (const event of told) over.event(event);
  over.close('ended');
  return over.send(exchange, 0, pingMs);
}

/** Events replayed to late listeners; a chatflow's include its text so far. */
function pastOf({ past, waiting, message }: StoredRun): readonly object[] {
  const [started, ...steps] = past;
  const said = message && {
    ...started,
    ...{ event: 'message_replace', answer: message.answer, reason: '', data: undefined },
  };
  return [started, said, ...steps, ...waiting].filter((event) => event !== undefined);
}
