import { questionOf } from '../../servers/relay/chatRequest.ts';
import { goingOn } from '../../servers/models/goOn.ts';
import { summarising } from '../../servers/models/summarising.ts';
import {
  refuse,
  type ScriptedModel,
  type ServedProtocol,
  stall,
  type Step,
  text,
} from '../../servers/script/script.ts';
import type { SentBody } from '../../servers/vendors/vendorBody.ts';
import { vendorModels } from '../../servers/vendors/vendorModels.ts';
import { refusalOf, type VendorKind, vendorKinds } from '../vendorBodies.ts';

/** A model of the matrix: a kind of vendor, and Claude once more by chat completions. */
export interface Contestant {
  name: string;
  kind: VendorKind;
  modelId: string;
}

export const contestants: readonly Contestant[] = [
  ...vendorKinds.map((kind) => ({ name: kind, kind, modelId: `vendor/${kind}` })),
  { name: 'claude by chat', kind: 'claude', modelId: 'vendor/claude-by-chat' },
];

export interface Asked {
  contestant: Contestant;
  protocol: ServedProtocol;
  body: SentBody;
  refusal: string | undefined;
  /** True if it needn't begin like the previous request: after a compaction or an edited message. */
  isFresh: boolean;
}

export interface Stage {
  asked: Asked[];
  thoughts: Set<string>;
  /** Fails the next request of any model for a reason unrelated to the history. */
  failsNext: boolean;
  /** See `Asked`; for the next request. */
  isFresh: boolean;
}

const quotaExceeded = {
  status: 429,
  body: {
    error: {
      ...{ message: 'You exceeded your current quota, please check your plan and billing details.' },
      ...{ type: 'insufficient_quota', param: null, code: 'insufficient_quota' },
    },
  },
};

export function stagedModels(stage: Stage): ScriptedModel[] {
  return contestants.map((contestant) => {
    const { kind, modelId } = contestant;
    const model = vendorModels.find(({ id }) => id === `vendor/${kind}`)!;
    return summarising(
      goingOn({
        ...model,
        id: modelId,
        ...(modelId !== model.id && { ownedBy: 'openai' }),
        check(body, protocol) {
          const refusal = refusalOf(kind, body, protocol);
          stage.asked.push({ contestant, protocol, body, refusal, isFresh: stage.isFresh });
          stage.isFresh = false;
          return model.check?.(body, protocol);
        },
        async *answer(request, context) {
          if (stage.failsNext) {
            stage.failsNext = false;
            yield refuse(quotaExceeded);
          } else if (/\bStop midway\b/.test(questionOf(request))) {
            yield text('I begin, and am stopped. (Scripted.)');
            yield stall;
          } else if (/\bKeep this in mind\b/.test(questionOf(request))) {
            yield text('I do. (Scripted.)');
          } else {
            for await (const step of model.answer(request, context)) {
              if (step.type === 'reasoning') stage.thoughts.add(step.text);
              yield inOnePiece(step);
            }
          }
        },
      }),
    );
  });
}

/** Texts come in one chunk: their pieces don't matter here. */
function inOnePiece(step: Step): Step {
  return step.type === 'text' ? { ...step, whole: true } : step;
}
