import type { ChatController } from '../chat/chatController.ts';
import type { ModelCatalog } from '../chat/models/modelCatalog.ts';
import { readModelId } from '../relay/relayModelId.ts';
import type { PostToPage, ToHost } from '../shared/protocol.ts';
import type { Models } from '../shared/transcript.ts';
import type { AppController } from './apps/appController.ts';
import type { CommandHandlers } from './commandHandlers.ts';
import { toModels } from './present/presentModels.ts';

export interface ModelHost {
  readonly memory: { favourites: readonly string[]; readonly recentModels: readonly string[] };
  callsTools(modelId: string): boolean;
  showModelDetails(modelId: string): void;
  modelPicked(modelId: string): void;
}

interface ModelParts {
  readonly chat: ChatController;
  readonly catalog: ModelCatalog;
  readonly host: ModelHost;
  readonly apps: AppController;
}

export class ModelController {
  constructor(
    private readonly parts: ModelParts,
    private readonly post: PostToPage,
  ) {}

  readonly commands = {
    selectModel: ({ modelId }) => {
      this.parts.host.modelPicked(modelId);
      this.parts.chat.shown.choices.selectModel(modelId);
      this.show();
    },
    toggleFavourite: ({ modelId }) => {
      const { memory } = this.parts.host;
      const { favourites } = memory;
      memory.favourites = favourites.includes(modelId)
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
      favourites: host.memory.favourites,
      recent: host.memory.recentModels,
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
