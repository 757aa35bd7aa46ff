import { appIdOf } from '../apps/appModelId.ts';
import { assertNever } from '../base/assertNever.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import type { Parameters } from '../relay/parameters.ts';
import type { ParameterCommand } from '../shared/parameters.ts';
import type { PostToPage } from '../shared/protocol.ts';

/** What the parameters of a conversation depend on. */
export interface ParameterHost {
  /** Of the settings. */
  defaultParameters(): Parameters;
  /** What a model was found not to support. */
  refusedParameters(modelId: string): readonly string[];
  nameOf(modelId: string): string;
}

/** The panel's half of what is sent with each request. The page asks for it while it shows it. */
export class ParameterController {
  private isShown = false;

  constructor(
    private readonly chat: ChatController,
    private readonly host: ParameterHost,
    private readonly post: PostToPage,
  ) {}

  /** A page that has just come shows nothing of it. */
  begin(): void {
    this.isShown = false;
  }

  onMessage(command: ParameterCommand): void {
    switch (command.type) {
      case 'loadParameters':
        this.isShown = true;
        return this.show();
      case 'chooseParameters':
        return this.chat.chooseParameters(command.parameters);
      default:
        return assertNever(command);
    }
  }

  onChange({ type }: ChatChange): void {
    const isAboutIt = type === 'parametersChosen' || type === 'modelSelected' || type === 'noticed';
    if (this.isShown && isAboutIt) this.show();
  }

  private show(): void {
    const { model, conversation } = this.chat;
    if (model === undefined || appIdOf(model) !== undefined) return;
    const { temperature, maxTokens, reasoningEffort } = this.host.defaultParameters();
    this.post({
      type: 'parametersLoaded',
      chosen: conversation.parameters,
      defaults: { temperature, maxTokens, reasoningEffort },
      refused: [...this.host.refusedParameters(model)],
      model: this.host.nameOf(model),
    });
  }
}
