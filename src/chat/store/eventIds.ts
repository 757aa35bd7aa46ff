import type { ChatEvent } from './events.ts';

interface EventIds {
  introduced: readonly string[];
  needed: readonly string[];
}

export function idsOf(event: ChatEvent): EventIds {
  switch (event.type) {
    case 'userMessageAdded':
    case 'answerStarted':
    case 'noticed':
    case 'knowledgeSearched':
      return introduces(event.id);
    case 'editsMade':
      // The same edits return on another branch, where they can still be undone.
      return event.edits ? needs(event.id) : introduces(event.id);
    case 'toolsCalled':
      return { introduced: event.calls.map(({ id }) => id), needed: [event.id] };
    case 'turnsSummarised':
      return introduces(event.id, event.beforeId);
    case 'checkpointRestored':
      return introduces(event.id, event.toId);
    case 'restorationBegun':
      return needs(event.toId);
    case 'callsReopened':
      return needs(...event.ids);
    case 'itemsRemoved':
    case 'branchDeleted':
      return needs(event.fromId);
    case 'versionStarted':
      return needs(event.ofId);
    // The queue isn't part of the conversation.
    case 'messageQueued':
    case 'queuedMessageRemoved':
    case 'backgroundCommandStarted':
    case 'backgroundCommandEnded':
      return needs();
    default:
      return 'id' in event ? needs(event.id) : needs();
  }
}

function introduces(id: string, ...needed: string[]): EventIds {
  return { introduced: [id], needed };
}

function needs(...needed: string[]): EventIds {
  return { introduced: [], needed };
}
