import { isObject } from '../apps/inputForm.ts';
import { account } from './signIns.ts';

/** Owner of data made by signing in; an app key can't send this name. */
export const signedInUser = `account ${account.id}`;

const hidden = ['inputs', 'process_data', 'outputs', 'execution_metadata'];

/** Recorded: nodes come without inputs and outputs, messages without usage. */
export function poorEvent(event: object): object {
  if (!isObject(event)) return event;
  const { data, metadata } = event;
  const kind = String(event['event']);
  if (isObject(data) && kind.startsWith('node_')) {
    const kept = Object.entries(data).filter(([name]) => !name.endsWith('_truncated'));
    const nulls = hidden.filter((name) => name in data).map((name) => [name, null]);
    const error = kind === 'node_started' ? {} : { error: null };
    return { ...event, data: { ...Object.fromEntries(kept), ...Object.fromEntries(nulls), ...error } };
  }
  if (isObject(data) && kind === 'workflow_finished')
    return { ...event, data: { ...data, created_by: account } };
  if (kind !== 'message_end' || !isObject(metadata)) return event;
  const { usage: _usage, annotation_reply: _reply, ...rest } = metadata;
  return { ...event, metadata: { ...rest, reasoning: {} } };
}
