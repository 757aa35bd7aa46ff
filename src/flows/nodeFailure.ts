import { redactSecrets } from '../base/secrets/redactSecrets.ts';
import type { FlowNode } from './dsl/readFlow.ts';

export interface NodeFailure {
  readonly path: string;
  readonly node: Pick<FlowNode, 'id' | 'type' | 'title'>;
  readonly error: string | undefined;
  readonly inputs: string | undefined;
  readonly isChanged: boolean;
}

const longestError = 10_000;

/** Describes a failed node for the model. Error and inputs are the platform's text; secrets in them are redacted. */
export function nodeFailureText({ path, node, error, inputs, isChanged }: NodeFailure): string {
  const lines = [
    `The workflow in ${path} was run in its published version and failed at one node.`,
    `Node: id ${JSON.stringify(node.id ?? '')}, type ${JSON.stringify(node.type)}, title ${JSON.stringify(node.title)}`,
    ...(isChanged
      ? ['The file has changed since: the attached text of the node is not the one that ran.']
      : []),
    '',
    'Error:',
    error === undefined ? '(The platform reported none.)' : error.slice(0, longestError),
    '',
    "The node's inputs:",
    inputs ?? "(Not reported by a run with the sign-in. A run with the app's key reports them.)",
  ];
  return redactSecrets(lines.join('\n'));
}
