import type { ChatEvent } from './events.ts';

export function idsOf(event: ChatEvent): { introduced: readonly string[]; needed: readonly string[] } {
  switch (event.type) {
    case 'userMessageAdded':
    case 'answerStarted':
    case 'noticed':
    case 'knowledgeSearched':
      return { introduced: [event.id], needed: [] };
    case 'editsMade':
      // The same edits return on another branch, where they can still be undone.
      return event.edits ? { introduced: [], needed: [event.id] } : { introduced: [event.id], needed: [] };
    case 'toolsCalled':
      return { introduced: event.calls.map(({ id }) => id), needed: [event.id] };
    case 'turnsSummarised':
      return { introduced: [event.id], needed: [event.beforeId] };
    case 'checkpointRestored':
      return { introduced: [event.id], needed: [event.toId] };
    case 'restorationBegun':
      return { introduced: [], needed: [event.toId] };
    case 'callsReopened':
      return { introduced: [], needed: event.ids };
    case 'itemsRemoved':
    case 'branchDeleted':
      return { introduced: [], needed: [event.fromId] };
    case 'versionStarted':
      return { introduced: [], needed: [event.ofId] };
    // The queue isn't part of the conversation.
    case 'messageQueued':
    case 'queuedMessageRemoved':
    case 'backgroundCommandStarted':
    case 'backgroundCommandEnded':
      return { introduced: [], needed: [] };
    default:
      return { introduced: [], needed: 'id' in event ? [event.id] : [] };
  }
}
