import { appIdOf } from '../apps/appModelId.ts';
import type { ChatChange, ChatController } from '../chat/chatController.ts';
import type { Parameters } from '../relay/parameters.ts';
import type { ParameterCommand } from '../shared/parameters.ts';
import type { PostToPage } from '../shared/protocol.ts';
import type { CommandHandlers } from './commandHandlers.ts';

export interface ParameterHost {
  defaultParameters(): Parameters;
  refusedParameters(modelId: string): readonly string[];
  nameOf(modelId: string): string;
}

export class ParameterController {
  private isShown = false;

  constructor(
    private readonly chat: ChatController,
    private readonly host: ParameterHost,
    private readonly post: PostToPage,
  ) {}

  begin(): void {
    this.isShown = false;
  }

  readonly commands: CommandHandlers<ParameterCommand> = {
    loadParameters: () => {
      this.isShown = true;
      this.show();
    },
    chooseParameters: ({ parameters }) => this.chat.shown.choices.chooseParameters(parameters),
  };

  onChange({ type }: ChatChange): void {
    const isAboutIt = type === 'parametersChosen' || type === 'modelSelected' || type === 'noticed';
    if (this.isShown && isAboutIt) this.show();
  }

  private show(): void {
    const { choices, conversation } = this.chat.shown;
    const { model } = choices;
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
