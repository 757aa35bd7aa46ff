import { refusal } from '../platformErrors.ts';
import type { AppContext } from '../apps/appContext.ts';
import { formActions, type PendingForm } from '../apps/humanInput.ts';
import { isObject } from '../apps/inputForm.ts';
import type { ScriptedApp } from '../apps/scriptedApp.ts';

/** A pending form in this API's format (recorded; of one that expired: read from the source). */
export function openForm({ forms }: AppContext, app: ScriptedApp, token: string | undefined) {
  const form = forms.find((one) => one.app === app.key && one.token === token);
  if (!form) throw noSuchForm();
  if (form.state === 'submitted') {
    const text = `This form has already been submitted by another user, form_id=${form.token}`;
    throw refusal(412, 'human_input_form_submitted', text);
  }
  if (form.state === 'expired') {
    throw refusal(412, 'human_input_form_expired', `This form has expired, form_id=${form.token}`);
  }
  return {
    view: viewOf(form),
    submit(action: string, inputs: Readonly<Record<string, unknown>>): void {
      if (!formActions.some(({ id }) => id === action)) {
        throw refusal(400, 'invalid_form_data', `Invalid action: ${action}`);
      }
      const missing = form.inputs
        .map(({ output_variable_name: name }) => name)
        .filter((name) => !(name in inputs));
      if (missing.length > 0) {
        throw refusal(400, 'invalid_form_data', `Missing required inputs: ${missing.join(', ')}`);
      }
      form.state = 'submitted';
      form.resume(action, inputs);
    },
  };
}

export function noSuchForm() {
  return refusal(
    404,
    'form_not_found',
    'No human-input form matches this token. It may be wrong, expired, or already submitted.',
  );
}

function viewOf({ content, inputs, expiresAt }: PendingForm): object {
  const defaults = inputs.map(({ output_variable_name: name, default: preset }) => [
    name,
    isObject(preset) ? String(preset['value']) : '',
  ]);
  return {
    form_content: content,
    inputs,
    resolved_default_values: Object.fromEntries(defaults) as object,
    user_actions: formActions,
    expiration_time: expiresAt,
  };
}
