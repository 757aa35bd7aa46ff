import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { asObject, parseJson } from '../../base/json.ts';
import type { HttpClient, HttpRequest } from '../../net/httpClient.ts';
import type { HttpResponse } from '../../net/httpResponse.ts';
import type { Usage } from '../messages.ts';

export const mostRequests = 8;
export const mostTokens = 6_000;
export const answerTokens = 256;
export const furtherAnswerTokens = 32;
/** Larger, because models reason before they call. */
export const callTokens = 512;
export const mostAnswerTokens = (mostRequests - 2) * answerTokens + 2 * callTokens;

/** Reserved for an answer without a limit, if the model refuses the field. */
const unlimitedAnswerTokens = 1_000;
const charactersInToken = 4;
/** The minimum over all scripts, in UTF-8: a limit must not be underestimated. */
const bytesInToken = 3;

export interface ReplyForm {
  status: number;
  contentType: string;
  reads: number;
}

export interface CountedHttp {
  readonly http: HttpClient;
  readonly reply: ReplyForm | undefined;
  settle(answer: string, usage: Usage | undefined): void;
}

export class CheckLimits {
  requests = 0;
  tokens = 0;
  isReached = false;

  hasRequests(count: number): boolean {
    return this.requests + count <= mostRequests;
  }

  fitsTwice(bodyLength: number): boolean {
    const prompts = 2 * Math.ceil(bodyLength / charactersInToken);
    return this.hasRequests(2) && this.tokens + prompts + callTokens + 2 * answerTokens <= mostTokens;
  }

  /** @param furtherTokens of a prompt, in addition to its text */
  count(http: HttpClient, furtherTokens = 0): CountedHttp {
    let reply: ReplyForm | undefined;
    let reserved = { prompt: 0, answer: 0 };
    const send = async (request: HttpRequest): Promise<HttpResponse> => {
      reserved = this.reserve(request, furtherTokens);
      const response = await http.send(request);
      const form = { status: response.status, contentType: response.contentType, reads: 0 };
      reply = form;
      // Nothing is generated for a refusal.
      if (response.status >= 400) this.release(reserved);
      return { ...response, body: countReads(response.body, form) };
    };
    return {
      http: { send, dispose: () => undefined },
      get reply() {
        return reply;
      },
      settle: (answer, usage) => {
        const seen = Math.ceil(Buffer.byteLength(answer) / bytesInToken);
        const { promptTokens = 0, completionTokens } = usage ?? {};
        this.tokens += Math.max(0, promptTokens - reserved.prompt);
        // Reasoning may be hidden, so without a count the whole limit counts.
        this.tokens += Math.max(seen, completionTokens ?? reserved.answer) - reserved.answer;
        reserved = { prompt: 0, answer: 0 };
      },
    };
  }

  private reserve({ body }: HttpRequest, furtherTokens: number) {
    const text = typeof body === 'string' ? body : '';
    const prompt = text === '' ? 0 : Math.ceil(text.length / charactersInToken) + furtherTokens;
    const answer = text === '' ? 0 : (limitIn(text) ?? unlimitedAnswerTokens);
    if (!this.hasRequests(1) || this.tokens + prompt + answer > mostTokens) {
      this.isReached = true;
      throw new SwitchboardError('budget', l10n.t('The limit of this check was reached.'));
    }
    this.requests += 1;
    this.tokens += prompt + answer;
    return { prompt, answer };
  }

  private release(reserved: { answer: number }): void {
    this.tokens -= reserved.answer;
    reserved.answer = 0;
  }
}

function limitIn(body: string): number | undefined {
  const fields = asObject(parseJson(body)) ?? {};
  const limits = ['max_tokens', 'max_completion_tokens', 'max_output_tokens'].flatMap((name) => {
    const limit = fields[name];
    return typeof limit === 'number' ? limit : [];
  });
  return limits.length > 0 ? Math.max(...limits) : undefined;
}

async function* countReads(body: AsyncIterable<Uint8Array>, form: ReplyForm): AsyncGenerator<Uint8Array> {
  for await (const piece of body) {
    form.reads += 1;
    yield piece;
  }
}
