import type { JsonObject } from '../../base/json.ts';
import type { Call } from './call.ts';

export function readsInput({
  name,
  title,
  input,
}: Pick<Call, 'name' | 'title'> & { input: JsonObject }): boolean {
  return name === 'run_command' && title === undefined && input['input'] === true;
}
