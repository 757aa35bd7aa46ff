import { AnswerLimit } from '../../base/answerLimit.ts';
import type { SwitchboardError } from '../../base/errors/errors.ts';
import { asObject, asText, type JsonObject, parseJson } from '../../base/json.ts';
import { maskExactly } from '../../base/secrets/maskAnswer.ts';
import { sanitizeServerMessage } from '../../base/text/sanitizeServerMessage.ts';
import type { SplitText } from '../../base/text/thinkTags.ts';
import type { ServerEvent } from '../../net/eventStream.ts';
import type { AppEvent, AppFile, AppRun, AppThought, AppUsage, PausedForm } from '../app.ts';
import { AnswerText } from './answerText.ts';
import { answerTruncated, failedRun, inStep, withMaskedError } from './appFailures.ts';
import {
  objectsIn,
  readFile,
  readRun,
  readSources,
  readStepNode,
  readThought,
  readUsage,
} from './appWire.ts';
import { FlowSteps } from './flowSteps.ts';

export interface AppAnswerOptions {
  baseUrl: string;
  address: string;
  key: string;
  toError: (body: JsonObject) => SwitchboardError;
  onUnknown?: (kind: string) => void;
}

export interface AnswerIds {
  taskId?: string;
  messageId?: string;
  conversationId?: string;
  runId?: string;
}

/** Folds the events of one answer or run into ours. A reported failure ends it: later events are ignored. */
export class AppAnswer {
  private readonly said = new AnswerText();
  private readonly thoughts = new Map<string, AppThought>();
  private readonly steps = new FlowSteps();
  private events: AppEvent[] = [];
  private text = '';
  private reasoning = '';
  private known: AnswerIds = {};
  private begun = false;
  private readonly limit: AnswerLimit;
  eventCount = 0;
  private isFlow = false;
  private messageEnded = false;
  private run: AppRun | undefined;
  private waitsFor: Set<string> | undefined;
  private readonly forms = new Map<string, PausedForm>();
  private usage: AppUsage | undefined;
  private files: readonly AppFile[] = [];
  private reported: SwitchboardError | undefined;

  constructor(private readonly options: AppAnswerOptions) {
    this.limit = new AnswerLimit(options.address);
  }

  get hasBegun(): boolean {
    return this.begun;
  }

  get failure(): SwitchboardError | undefined {
    return this.reported;
  }

  get ids(): AnswerIds {
    return this.known;
  }

  /** `ending`: one of a chatflow's two end events arrived, or the run waits for human input. */
  get remaining(): 'more' | 'ending' | 'none' {
    if (this.messageEnded && (this.run || !this.isFlow)) return 'none';
    if (this.run && !this.saysMessages) return 'none';
    return this.messageEnded || this.run || this.waitsFor ? 'ending' : 'more';
  }

  addEvent({ data, event: name }: ServerEvent): void {
    const body = asObject(parseJson(maskExactly(data, [this.options.key])));
    if (body) this.add(asText(body['event']) ?? name ?? '', body);
  }

  addWhole(body: JsonObject): void {
    const data = asObject(body['data']);
    if (body['event'] === 'workflow_paused' || data?.['status'] === 'paused')
      this.add('workflow_paused', body);
    else if (typeof body['answer'] === 'string') {
      this.add('message', body);
      this.add('message_end', body);
    } else if (data && (data['status'] !== undefined || data['outputs'] !== undefined)) {
      this.add('workflow_finished', body);
    } else this.add('error', body);
  }

  take(): AppEvent[] {
    this.flush();
    const { events } = this;
    if (events.length > 0) this.events = [];
    return events;
  }

  /** Call after `take`, at the body's end. Throws a reported failure, or `truncated` if the app isn't done. */
  finish(): AppEvent[] {
    if (this.reported) throw this.reported;
    if (this.remaining === 'more') throw answerTruncated(this.options.address, this.begun);
    this.endText();
    // Some flows do not stream their answer; it is among the outputs then.
    const answer = this.run?.outputs['answer'];
    if (this.saysMessages && this.said.isEmpty && typeof answer === 'string') {
      this.push(this.said.add(answer));
      this.endText();
    }
    const events = this.take();
    const usage =
      this.usage ?? (this.run?.tokens === undefined ? undefined : { totalTokens: this.run.tokens });
    events.push({ type: 'ended', ...(usage && { usage }), files: this.files });
    return events;
  }

  endText(): void {
    this.push(this.said.end());
  }

  private get saysMessages(): boolean {
    return this.known.messageId !== undefined || this.known.conversationId !== undefined;
  }

  private add(kind: string, body: JsonObject): void {
    if (kind === 'ping' || this.reported) return;
    this.eventCount++;
    this.begun = true;
    this.learnIds(kind, body);
    const data = asObject(body['data']) ?? {};
    const step = this.steps.read(kind, data);
    if (step) {
      this.limit.add(step.detail?.length ?? 0);
      // An agent's log names the node that it belongs to.
      const node = kind === 'agent_log' ? undefined : readStepNode(data);
      this.emit({
        ...{ type: 'stepChanged', step: withMaskedError(step, this.options.key) },
        ...(node && { node }),
      });
      return;
    }
    switch (kind) {
      case 'message':
        this.push(this.said.addOrRepeat(stringIn(body['answer']), speakerOf(body)));
        return;
      case 'agent_message':
        this.push(this.said.addOfAgent(stringIn(body['answer'])));
        return;
      case 'text_chunk':
        this.push(this.said.add(stringIn(data['text']), speakerOf(data)));
        return;
      case 'message_replace':
        this.replaceText(body['answer']);
        return;
      case 'text_replace':
        this.replaceText(data['text']);
        return;
      case 'reasoning_chunk':
        this.push({ reasoning: stringIn(data['reasoning']), text: '' });
        return;
      case 'agent_thought':
        this.addThought(body);
        return;
      case 'message_file':
        this.addFile(body);
        return;
      case 'message_end':
        this.endMessage(body);
        return;
      case 'workflow_started':
        this.isFlow = true;
        return;
      case 'workflow_paused':
      case 'human_input_required':
        this.pause(data);
        return;
      case 'human_input_form_filled':
      case 'human_input_form_timeout':
        if (this.waitsFor) this.emit({ type: 'resumed' });
        this.waitsFor = undefined;
        this.forms.clear();
        return;
      case 'workflow_finished':
        this.finishRun(data);
        return;
      case 'error':
        this.fail(inStep(this.options.toError(body), this.steps.failedStep));
        return;
      case 'tts_message':
      case 'tts_message_end':
        return;
      default:
        // An error without its event name: from a proxy, or from before the stream opened.
        if (!kind && body['message'] !== undefined && body['answer'] === undefined) {
          this.add('error', body);
        } else this.options.onUnknown?.(kind);
    }
  }

  private learnIds(kind: string, body: JsonObject): void {
    const { known } = this;
    const found: AnswerIds = {
      taskId: known.taskId ?? asText(body['task_id']),
      messageId:
        known.messageId ??
        asText(body['message_id']) ??
        // In other events `id` belongs to a thought or a file.
        (kind === 'message' || kind === 'agent_message' || kind === 'message_end'
          ? asText(body['id'])
          : undefined),
      conversationId: known.conversationId ?? asText(body['conversation_id']),
      runId: known.runId ?? asText(body['workflow_run_id']),
    };
    const isNews =
      found.taskId !== known.taskId ||
      found.messageId !== known.messageId ||
      found.conversationId !== known.conversationId ||
      found.runId !== known.runId;
    if (!isNews) return;
    this.known = found;
    this.emit({ type: 'started', ...found });
  }

  private replaceText(whole: unknown): void {
    if (typeof whole === 'string') this.emit({ type: 'textReplaced', text: this.said.replace(whole) });
  }

  private addThought(body: JsonObject): void {
    const id = asText(body['id']) ?? '';
    const thought = readThought(body, this.thoughts.get(id));
    this.thoughts.set(id, thought);
    this.said.endRound();
    this.emit({ type: 'thoughtChanged', thought });
  }

  private addFile(body: JsonObject): void {
    // With an `answer` the event is a piece of text, sent if the answer holds files.
    if (typeof body['answer'] === 'string') this.push(this.said.add(body['answer'], speakerOf(body)));
    else if (body['belongs_to'] !== 'user')
      this.emit({ type: 'fileAdded', file: readFile(body, this.options.baseUrl) });
  }

  private endMessage(body: JsonObject): void {
    this.messageEnded = true;
    this.endText();
    const metadata = asObject(body['metadata']);
    const sources = readSources(metadata?.['retriever_resources']);
    if (sources.length > 0) this.emit({ type: 'sourcesFound', sources });
    if (asText(asObject(metadata?.['annotation_reply'])?.['id'])) this.emit({ type: 'annotationUsed' });
    this.usage = readUsage(metadata?.['usage']) ?? this.usage;
    this.files = objectsIn(body['files']).map((file) => readFile(file, this.options.baseUrl));
  }

  private pause(data: JsonObject): void {
    const size = () => (this.waitsFor?.size ?? -1) + this.forms.size;
    const before = size();
    this.waitsFor ??= new Set();
    const reasons: unknown[] = Array.isArray(data['reasons']) ? data['reasons'] : [data];
    for (const reason of reasons) {
      const words = reasonOf(reason);
      const title = words && sanitizeServerMessage(words, [this.options.key]);
      if (title) this.waitsFor.add(title);
      // A form sent by e-mail has no token.
      const token = asText(asObject(reason)?.['form_token']);
      if (token !== undefined) this.forms.set(token, { token, title: title ?? '' });
    }
    if (size() === before) return;
    const forms = [...this.forms.values()];
    this.emit({ type: 'paused', reasons: [...this.waitsFor], ...(forms.length > 0 && { forms }) });
  }

  private finishRun(data: JsonObject): void {
    this.endText();
    const run = withMaskedError(readRun(data), this.options.key);
    this.run = { ...run, id: run.id ?? this.known.runId };
    this.emit({ type: 'runFinished', run: this.run });
    if (run.status !== 'failed') return;
    const { address, key } = this.options;
    this.fail(failedRun(run, this.steps.failedStep, address, key));
  }

  private fail(failure: SwitchboardError): void {
    this.endText();
    this.reported = failure;
  }

  private push({ text, reasoning }: SplitText): void {
    this.limit.add(text.length + reasoning.length);
    if (reasoning) {
      if (this.text) this.flush();
      this.reasoning += reasoning;
    }
    if (text) {
      if (this.reasoning) this.flush();
      this.text += text;
    }
  }

  private emit(event: AppEvent): void {
    this.flush();
    this.events.push(event);
  }

  /** At most one of text and reasoning is pending, so events keep their order of arrival. */
  private flush(): void {
    if (this.reasoning) this.events.push({ type: 'reasoningAdded', text: this.reasoning });
    if (this.text) this.events.push({ type: 'textAdded', text: this.text });
    this.reasoning = '';
    this.text = '';
  }
}

function stringIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function speakerOf(fields: JsonObject): string {
  const selector = fields['from_variable_selector'];
  return Array.isArray(selector) ? selector.filter((part) => typeof part === 'string').join('.') : '';
}

function reasonOf(reason: unknown): string | undefined {
  if (typeof reason === 'string') return reason;
  const fields = asObject(reason);
  const { node_title, title, message, reason: words, form_content } = fields ?? {};
  return [node_title, title, message, words, form_content].map(asText).find((found) => found !== undefined);
}
