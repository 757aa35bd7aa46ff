import litellm from '../../fixtures/recorded/litellm-chat-errors.txt';
import newApi from '../../fixtures/recorded/newapi-chat-errors.txt';
import oneApi from '../../fixtures/recorded/oneapi-chat-errors.txt';
import { readRecorded } from '../../support/recorded.ts';
import { refuseForeign, type ScriptedModel } from '../script/script.ts';
import { fault } from './fault.ts';

/** Recorded replies of real servers, unlisted; a request names one, such as `recorded/litellm/nomoney`. */
export const recordedModels: readonly ScriptedModel[] = [
  ...modelsOf('new-api', newApi),
  ...modelsOf('one-api', oneApi),
  ...modelsOf('litellm', litellm),
];

function modelsOf(product: string, text: string): ScriptedModel[] {
  return readRecorded(text).flatMap(({ title, status = 200, headers, body }) => {
    const [, name] = /^chat (\S+)/.exec(title) ?? [];
    if (!name) return [];
    const played = fault(name, `What ${product} sent.`, () => [refuseForeign({ status, headers, body })]);
    return { ...played, id: `recorded/${product}/${name}`, ownedBy: 'recorded' };
  });
}
