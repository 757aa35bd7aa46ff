import { randomUUID } from 'node:crypto';
import type { FormField, MaxBytes } from '../../apps/app.ts';
import type { FormAnswers } from '../../apps/appForm.ts';
import type { AnswerCommand, FillCommand, FormView } from '../../shared/apps.ts';
import type { PostToPage } from '../../shared/protocol.ts';
import { InputForm, type InputHost } from './inputForm.ts';

export interface FormQuestion {
  title: string;
  /** Markdown above the fields, with the answers so far. */
  text?: (answers: FormAnswers) => string;
  note?: string;
  form: readonly FormField[];
  answers: FormAnswers;
  maxBytes: MaxBytes;
  /** Where answers were taken from, by variable. */
  origins?: ReadonlyMap<string, string>;
  actions: readonly { id: string; label: string }[];
}

export interface FilledQuestion {
  answers: FormAnswers;
  action: string;
}

interface Asked {
  readonly id: string;
  readonly question: FormQuestion;
  readonly inputs: InputForm;
  resolve(filled: FilledQuestion | undefined): void;
}

/** Forms that commands wait for. The newest is in front; the ones before wait behind it. */
export class AskedForms {
  private readonly asked: Asked[] = [];

  constructor(
    private readonly host: InputHost,
    private readonly post: PostToPage,
  ) {}

  ask(question: FormQuestion): Promise<FilledQuestion | undefined> {
    const { form, answers, maxBytes, origins } = question;
    const inputs = new InputForm(form, answers, maxBytes, this.host, origins);
    inputs.onDidChange(() => this.show());
    return new Promise((resolve) => {
      this.asked.push({ id: randomUUID(), question, inputs, resolve });
      this.show();
    });
  }

  show(): void {
    const front = this.asked.at(-1);
    this.post({ type: 'formChanged', ...(front && { form: toView(front) }) });
  }

  async fillIn({ form, variable, edit }: FillCommand): Promise<void> {
    const asked = this.find(form);
    if (!asked) return;
    const before = textOf(asked);
    const filled = asked.inputs.fillIn(variable, edit);
    // A typed value is there before the promise resolves.
    if (textOf(asked) !== before) this.show();
    await filled;
  }

  answer({ form, action }: AnswerCommand): void {
    const asked = this.find(form);
    if (!asked || (action !== undefined && !this.isReady(asked, action))) return;
    this.asked.splice(this.asked.indexOf(asked), 1);
    this.show();
    asked.resolve(action === undefined ? undefined : { answers: asked.inputs.answers, action });
  }

  private isReady({ question, inputs }: Asked, action: string): boolean {
    return question.actions.some(({ id }) => id === action) && inputs.check();
  }

  private find(id: string | undefined): Asked | undefined {
    return this.asked.find((each) => each.id === id);
  }
}

function textOf({ question, inputs }: Asked): string | undefined {
  return question.text?.(inputs.answers);
}

function toView(asked: Asked): FormView {
  const { id, question, inputs } = asked;
  const text = textOf(asked);
  return {
    ...{ id, title: question.title, fields: inputs.views(), actions: [...question.actions] },
    ...(text !== undefined && { text }),
    ...(question.note !== undefined && { note: question.note }),
  };
}
