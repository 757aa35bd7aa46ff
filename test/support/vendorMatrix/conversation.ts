import { randomUUID } from 'node:crypto';
import { appModelId } from '../../../src/apps/appModelId.ts';
import type { Attachment } from '../../../src/chat/attachments/attachment.ts';
import { ChatController } from '../../../src/chat/chatController.ts';
import type { AnswerEnd } from '../../../src/chat/store/events.ts';
import type { ModelOverride } from '../../../src/relay/list/modelOverrides.ts';
import type { RelayServer } from '../../servers/sandbox.ts';
import { chatDependencies } from '../chatDependencies.ts';
import { fakeApps, guide } from '../fakeApps.ts';
import { fakeSegments, segment } from '../fakeSegments.ts';
import { MemoryChatStore } from '../memoryChatStore.ts';
import { connectWindow } from '../relayWindow.ts';
import { blindKinds } from '../vendorBodies.ts';
import type { Contestant, Stage } from './contestants.ts';
import { findFaults } from './judge.ts';
import { MatrixTools } from './matrixTools.ts';

const picture: Attachment = {
  ...{ kind: 'image', label: 'chart.png' },
  image: { mimeType: 'image/png', data: 'iVBORw0KGgo=', bytes: 8 },
};

interface Relay extends Pick<RelayServer, 'url' | 'key'> {
  overrides?: readonly ModelOverride[];
}

type Turn = Promise<AnswerEnd | undefined> | undefined;

interface MessageOptions {
  attachments?: readonly Attachment[];
  inPlaceOf?: string | undefined;
  calls?: number;
}

/** A conversation in its own window, which knows no model. Failures are recorded, and it goes on. */
export class MatrixConversation {
  private readonly tools = new MatrixTools();
  private readonly store = new MemoryChatStore();
  private readonly chat: ChatController;
  /** By cause, so that an unusable conversation is reported once. */
  private readonly failures = new Map<string, string>();
  private readonly refused = new Set<string>();
  private contextWindow: number | undefined;
  private itemsBefore = 0;

  private constructor(
    private asker: Contestant,
    private readonly stage: Stage,
    private readonly window: Awaited<ReturnType<typeof connectWindow>>,
  ) {
    const { models } = window;
    const { search } = fakeSegments([segment('tides', { content: 'High water comes twice a day.' })]);
    this.chat = new ChatController({
      ...chatDependencies({
        store: this.store,
        ask: models.ask,
        windows: models.windows,
        toolCallers: models.toolCallers,
        refusesTools: models.refusesTools,
        modelLimits: () => (this.contextWindow === undefined ? {} : { contextWindow: this.contextWindow }),
        searchSegments: search,
        apps: fakeApps(['The lock opens at noon, says the app.']),
        newId: randomUUID,
      }),
      tools: async () => this.tools.box,
      options: () => ({
        ...{
          instructions: 'Be brief.',
          stream: true,
          maxToolRounds: 50,
          knowledgeSearch: 'always',
          fallbackModels: [],
        },
        ...(this.asker.kind === 'claude-thinking' && { reasoningEffort: 'low' }),
      }),
    });
  }

  static async open(server: Relay, stage: Stage, asker: Contestant): Promise<MatrixConversation> {
    Object.assign(stage, { asked: [], failsNext: false });
    const conversation = new MatrixConversation(asker, stage, await connectWindow(server, server.overrides));
    conversation.select(asker);
    return conversation;
  }

  async reopened(server: Relay): Promise<MatrixConversation> {
    const again = await MatrixConversation.open(server, this.stage, this.asker);
    const { id } = this.chat.shown.conversation;
    again.store.lines.set(id, [...(this.store.lines.get(id) ?? [])]);
    await again.chat.openChat(id);
    await again.chat.shown.loadEarlier();
    again.itemsBefore = again.chat.shown.conversation.all.length;
    return again;
  }

  takeFaults(): string[] {
    const { stage, failures } = this;
    const items = this.chat.shown.conversation.all;
    const faults = [...failures.values(), ...findFaults(stage, items.slice(this.itemsBefore), this.refused)];
    failures.clear();
    stage.asked = [];
    this.itemsBefore = items.length;
    return faults;
  }

  close(): void {
    this.chat.dispose();
    this.window.close();
  }

  select(contestant: Contestant): void {
    this.asker = contestant;
    this.chat.shown.choices.selectModel(contestant.modelId);
  }

  async briefly(): Promise<void> {
    await this.say('plain question after the switch', 'Where were we?');
    await this.say('call after the switch', `read ${this.path('after')}`, { calls: 1 });
    await this.say('calls after the switch', `read ${this.path('later')} and ${this.path('last')}`, {
      calls: 2,
    });
  }

  async everything(): Promise<void> {
    const { chat } = this;
    const path = (name: string) => this.path(name);
    await this.say('plain answer', 'Hello there');
    await this.say('second plain answer', `Keep this in mind: ${'some words '.repeat(2500)}`);
    await this.say('third plain answer', 'Thanks');
    await this.compact();
    await this.say('call in text', `write the call that reads ${path('text')}`, { calls: 1 });
    await this.say('one call', `read ${path('one')}`, { calls: 1 });
    await this.say('parallel calls', `read ${path('two')} and ${path('three')}`, { calls: 2 });
    await this.say('rounds of calls', `read ${path('four')} then read ${path('five')}`, { calls: 2 });
    await this.say('failed call', `read ${path('missing')}`, { calls: 1 });
    await this.say('empty result', `read ${path('empty')}`, { calls: 1 });
    await this.say('made-up name', 'call functions.read_file', { calls: 1 });
    await this.say('broken arguments', 'call read_file with broken arguments', { calls: 1 });
    await this.say('denied call', `read ${path('denied')}`, { calls: 1 });
    await this.stopped();
    this.stage.failsNext = true;
    await this.ends('failed turn', chat.shown.submit('Will this fail?'), ['failed']);
    await this.say('after the failed turn', 'And now?');
    await this.steered();
    if (!blindKinds.has(this.asker.kind)) {
      await this.say('picture', 'What is this?', { attachments: [picture] });
    }
    chat.shown.choices.chooseKnowledge([{ id: 'd1', name: 'Harbour' }]);
    await this.say('grounding', 'When is high water, tides?');
    chat.shown.choices.chooseKnowledge([]);
    chat.shown.choices.selectModel(appModelId(guide.id));
    await this.say('app', 'When does the lock open?');
    chat.shown.choices.selectModel(this.asker.modelId);
    await this.say('after the app', 'What did the app say?');
    const edited = chat.shown.conversation.all.findLast(({ type }) => type === 'user');
    this.stage.isFresh = true;
    await this.say('edit and resend', `read ${path('six')}`, { inPlaceOf: edited?.id, calls: 1 });
  }

  private async compact(): Promise<void> {
    this.contextWindow = 8000;
    this.stage.isFresh = true;
    await this.ends('compaction', this.chat.shown.compact());
    this.stage.isFresh = true;
    this.contextWindow = undefined;
    if (!this.chat.shown.conversation.all.some(({ type }) => type === 'summary')) {
      this.fails('compaction', 'there is no summary');
    }
  }

  private async stopped(): Promise<void> {
    const { chat } = this;
    const { turn, release } = await this.beginRead('hold-stopped');
    await chat.shown.stop();
    release();
    await this.ends('stopped call', turn, ['stopped', 'answered']);
    await this.say('after the stopped call', 'Never mind');
    const midway = chat.shown.submit('Stop midway');
    await this.firstText(midway);
    await chat.shown.stop();
    await this.ends('stopped answer', midway, ['stopped']);
    await this.say('after the stopped answer', 'Go on');
  }

  private async steered(): Promise<void> {
    const { chat } = this;
    const { turn, release } = await this.beginRead('hold-steered');
    if (chat.shown.isRunning)
      chat.shown.queue.add({ text: `also read ${this.path('steered')}`, steers: true });
    release();
    await this.ends('steering', turn);
  }

  /** Begins a read that waits, or a whole turn where the model calls nothing. */
  private async beginRead(name: string) {
    const { begun, released } = this.tools.holdNext();
    const turn = this.chat.shown.submit(`read ${this.path(name)}`);
    await Promise.race([begun.promise, turn]);
    return { turn, release: released.resolve };
  }

  /** Resolves with the first text of the newest answer, or when the turn ends. */
  private async firstText(turn: Turn): Promise<void> {
    const begun = new Promise<void>((resolve) => {
      const following = this.chat.onDidChange(({ type }) => {
        if (type !== 'textAdded') return;
        following.dispose();
        resolve();
      });
    });
    await Promise.race([begun, turn]);
  }

  /** A file named after the model that is asked to read it. */
  private path(name: string): string {
    return `${this.asker.name.replaceAll(' ', '-')}/${name}.md`;
  }

  private async say(
    step: string,
    text: string,
    { attachments, inPlaceOf, calls = 0 }: MessageOptions = {},
  ): Promise<void> {
    const made = () => this.chat.shown.conversation.all.filter(({ type }) => type === 'tool').length;
    const before = made();
    await this.ends(step, this.chat.shown.submit(text, { attachments, inPlaceOf }));
    const expected = this.asker.kind === 'no-tools' ? 0 : calls;
    const count = made() - before;
    if (calls > 0 && count !== expected) this.fails(step, `${count} calls were made, not ${expected}`);
  }

  private async ends(step: string, turn: Turn, good: AnswerEnd['reason'][] = ['answered']): Promise<void> {
    const end = await turn;
    if (end && good.includes(end.reason)) return;
    const why = end?.failure ? `${end.failure.code}: ${end.failure.message}` : (end?.reason ?? 'not sent');
    this.fails(step, why);
  }

  private fails(step: string, why: string): void {
    const refusal =
      this.stage.asked.findLast((asked) => asked.refusal !== undefined)?.refusal ?? 'refused by no vendor';
    const cause = refusal.replaceAll(/\d+/g, '');
    if (!this.failures.has(cause)) {
      this.failures.set(cause, `${step} (${this.asker.name}): ${why} — ${refusal}`);
    }
  }
}
