import { type Flow, type FlowVariable, variablesOf } from '../dsl/readFlow.ts';

export interface FilledSecrets {
  /** DSL with the secrets as plain text: only for the import, never for a disk or a log. */
  readonly yaml: string;
  /** Names of secrets that stay empty: the platform has no value for them. */
  readonly empty: readonly string[];
}

export function emptySecrets(flow: Flow): FlowVariable[] {
  return variablesOf(flow, 'environment').filter(
    ({ type, value }) => type === 'secret' && (value.get('value')?.text() ?? '') === '',
  );
}

/** Matches by variable id. An import takes empty values literally, and loses secrets (recorded on 1.16.1). */
export function fillSecrets(flow: Flow, draft: Flow): FilledSecrets {
  const known = new Map(
    variablesOf(draft, 'environment')
      .filter(({ type, id }) => type === 'secret' && id !== '')
      .map(({ id, value }) => [id, value.get('value')?.text() ?? '']),
  );
  const empty: string[] = [];
  const edits: { start: number; end: number; text: string }[] = [];
  for (const { id, name, value } of emptySecrets(flow)) {
    const secret = known.get(id);
    const place = value.get('value')?.range;
    if (!secret || !place) empty.push(name);
    else edits.push({ ...place, text: quoted(secret) });
  }
  let yaml = flow.text;
  for (const { start, end, text } of edits.toSorted((a, b) => b.start - a.start)) {
    // A value that is not written at all begins right behind the colon.
    const space = yaml[start - 1] === ':' ? ' ' : '';
    yaml = yaml.slice(0, start) + space + text + yaml.slice(end);
  }
  return { yaml, empty };
}

/** A double-quoted YAML text in ASCII: the platform's parser takes surrogate pairs for two characters. */
function quoted(text: string): string {
  return JSON.stringify(text).replace(/[^ -~]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code > 0xffff
      ? `\\U${code.toString(16).padStart(8, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}
