import * as l10n from '@vscode/l10n';
import { useSignalEffect } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { formatNumber } from '../../base/text/format.ts';
import { Attachments } from './attachments.tsx';
import { IconButton } from '../controls/icon.tsx';
import { KnowledgeButton, KnowledgeChips } from '../picker/knowledgeChoice.tsx';
import {
  mentionListId,
  mentionNoteId,
  mentionOptionId,
  type MentionTyping,
  useMentions,
} from './mentionTyping.ts';
import { MessageRecall } from './messageRecall.ts';
import { ModelPicker } from '../picker/modelPicker.tsx';
import { lazyComponent } from '../controls/lazyComponent.tsx';
import { usePanel } from '../state/panel.ts';
import { usePanelFocus } from '../controls/focus.ts';
import { PermissionButtons } from '../picker/permissions.tsx';
import { BranchBar, ContextMeter, PlanView, QueuedMessages, ContextChips } from '../lazyComponents.tsx';
import { PasteOffer, usePasting } from './pasting.tsx';
import { hasContent, SendButtons, useSend, type SendOptions } from './sending.tsx';

const MentionList = lazyComponent(() => import('./mentionList.tsx'), 'MentionList');

/** The message box. The host owns the draft and empties it. */
export function Composer() {
  const { state, post, drafts } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  usePanelFocus(box);

  const send = useSend();
  const onInput = (text: string) => {
    state.draft.value = text;
    state.typedAtMs = Date.now();
    drafts.changed(text);
  };
  const { typing, onCaret, onFocus } = useMentions(box, onInput);
  const open = typing.open.value;
  const mention = open?.options[open.active];
  const { onPaste } = usePasting();
  const recall = useMemo(() => new MessageRecall(post, onInput), []);
  useSignalEffect(() => {
    const message = state.recalled.value;
    if (message) recall.found(message);
  });
  const onKeyDown = useBoxKeys(typing, recall, send);

  return (
    <div class="composer">
      {open && <MentionList typing={typing} />}
      <PasteOffer onDraft={onInput} />
      {state.plan.value && <PlanView plan={state.plan.value} />}
      {state.queue.value.length > 0 && <QueuedMessages queue={state.queue.value} />}
      {state.branchTarget.value && <BranchBar target={state.branchTarget.value} />}
      <div class="composer-box">
        <div class="composer-chips">
          {state.told.value.length > 0 && !state.models.value.selected?.app && (
            <ContextChips told={state.told.value} />
          )}
          <KnowledgeChips />
          <Attachments />
        </div>
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          aria-label={l10n.t('Message')}
          placeholder={l10n.t('Ask anything. @ for context, / for commands')}
          aria-autocomplete="list"
          {...(mention && {
            'aria-controls': mentionListId,
            'aria-activedescendant': mentionOptionId(mention),
          })}
          {...(open?.note && { 'aria-describedby': mentionNoteId })}
          value={state.draft.value}
          onInput={(event) => {
            onInput(event.currentTarget.value);
            onCaret();
          }}
          onFocus={onFocus}
          onBlur={() => typing.leave()}
          onPaste={onPaste}
          onKeyDown={onKeyDown}
        />
        <ComposerBar
          onSend={(options) => {
            send(options);
            if (!state.pickerOpen.peek()) box.current?.focus();
          }}
        />
      </div>
    </div>
  );
}

function useBoxKeys(typing: MentionTyping, recall: MessageRecall, send: (options?: SendOptions) => void) {
  const { state, post } = usePanel();
  return (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
    if (typing.onKey(event, send)) {
      event.preventDefault();
      return;
    }
    if (event.key === 'Escape' && !event.isComposing && state.branchTarget.peek()) {
      event.preventDefault();
      post({ type: 'cancelBranch' });
      return;
    }
    if (recall.onKey(event)) {
      event.preventDefault();
      return;
    }
    // 229: Safari ends a composition before the key that ended it.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    // Ctrl+Alt+Enter denies a call.
    if ((event.ctrlKey || event.metaKey) && event.altKey) return;
    // Ctrl+Enter that sends a message must not reach the editor, where it allows a call.
    if (hasContent(state, state.draft.peek())) event.stopPropagation();
    if (!event.repeat) send({ later: event.altKey });
  };
}

function ComposerBar({ onSend }: { onSend(options: SendOptions): void }) {
  const { state, post } = usePanel();
  const isLoaded = state.loaded.value;
  return (
    <div class="composer-bar">
      <div class={isLoaded ? 'composer-line' : 'composer-line reserved'}>
        <PermissionButtons />
        {state.context.value && !state.models.value.selected?.app && (
          <ContextMeter use={state.context.value} />
        )}
      </div>
      <div class="composer-line">
        <IconButton
          name={l10n.t('Attach')}
          icon="attach"
          title={l10n.t(
            'Attach files. You can also type @, paste an image, or hold Shift and drop files here.',
          )}
          onClick={() => post({ type: 'attachFiles' })}
        />
        {isLoaded && (
          <>
            <KnowledgeButton />
            <ModelPicker />
            <ToolsButton />
          </>
        )}
        {state.app.value?.canEditInputs && (
          <IconButton
            name={l10n.t('Edit Inputs')}
            icon="edit"
            title={l10n.t("Edit the app's inputs. Your next message sends them.")}
            onClick={() => post({ type: 'editInputs' })}
          />
        )}
        <SendButtons onSend={onSend} />
      </div>
    </div>
  );
}

function ToolsButton() {
  const { state, post } = usePanel();
  const isApp = state.models.value.selected?.app !== undefined;
  const { on, total, mcpToStart } = state.tools.value;
  const description = isApp
    ? l10n.t('Apps use their own tools')
    : [
        l10n.t('Tools on: {0} of {1}', formatNumber(on), formatNumber(total)),
        ...(mcpToStart ? [l10n.t('MCP servers not started: {0}', formatNumber(mcpToStart))] : []),
      ].join('. ');
  return (
    <IconButton
      class="counted"
      name={l10n.t('Tools')}
      icon="tools"
      // Drawn by CSS, which leaves the accessible name alone.
      data-count={isApp ? undefined : formatNumber(on)}
      aria-disabled={isApp}
      aria-description={description}
      title={description}
      onClick={() => !isApp && post({ type: 'chooseTools' })}
    />
  );
}
