import type { ChatController } from '../chat/chatController.ts';
import type { ModelCatalog } from '../chat/models/modelCatalog.ts';
import { readModelId } from '../relay/relayModelId.ts';
import type { PostToPage, ToHost } from '../shared/protocol.ts';
import type { Models } from '../shared/transcript.ts';
import type { AppController } from './appController.ts';
import type { CommandHandlers } from './commandHandlers.ts';
import { toModels } from './present/presentModels.ts';

export interface ModelHost {
  favourites: readonly string[];
  /** Recently picked models, newest first. */
  readonly recent: readonly string[];
  /** True if the model was seen to call tools. */
  callsTools(modelId: string): boolean;
  /** Shows a model's profile. */
  showModelDetails(modelId: string): void;
  /** Remembers the pick for new chats. */
  modelPicked(modelId: string): void;
}

interface ModelParts {
  readonly chat: ChatController;
  readonly catalog: ModelCatalog;
  readonly host: ModelHost;
  readonly apps: AppController;
}

/** The models and apps of the picker. */
export class ModelController {
  constructor(
    private readonly parts: ModelParts,
    private readonly post: PostToPage,
  ) {}

  readonly commands = {
    selectModel: ({ modelId }) => {
      this.parts.host.modelPicked(modelId);
      this.parts.chat.shown.choices.selectModel(modelId);
      // Picking the selected model again moves it up among the recent ones.
      this.show();
    },
    toggleFavourite: ({ modelId }) => {
      const { host } = this.parts;
      const { favourites } = host;
      host.favourites = favourites.includes(modelId)
        ? favourites.filter((id) => id !== modelId)
        : [...favourites, modelId];
      this.show();
    },
    showModelDetails: ({ modelId }) => this.parts.host.showModelDetails(modelId),
    loadModels: () => void this.parts.catalog.load(),
  } satisfies Partial<CommandHandlers<ToHost>>;

  show(): void {
    this.post({ type: 'modelsChanged', models: this.state() });
  }

  state(): Models {
    const { chat, catalog, host, apps } = this.parts;
    const { model } = chat.shown.choices;
    return toModels(catalog.state, {
      apps: apps.options(),
      favourites: host.favourites,
      recent: host.recent,
      callsTools: (id) => host.callsTools(id),
      selectedId: model && (catalog.find(model)?.id ?? model),
      isUnlisted: (id) => catalog.isUnlisted(id),
      missingRelay: (id) => catalog.missingRelay(id),
      nameOf: (id) => this.nameOf(id),
    });
  }

  nameOf(modelId: string): string {
    const { apps, catalog } = this.parts;
    return apps.nameOf(modelId) ?? catalog.find(modelId)?.name ?? readModelId(modelId).id;
  }
}
