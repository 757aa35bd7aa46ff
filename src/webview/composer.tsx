import * as l10n from '@vscode/l10n';
import { useSignalEffect } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { formatNumber } from '../base/format.ts';
import { Attachments } from './attachments.tsx';
import { IconButton } from './icon.tsx';
import { KnowledgeButton, KnowledgeChips } from './knowledgeChoice.tsx';
import { mentionListId, mentionNoteId, mentionOptionId } from './mentionIds.ts';
import { MessageRecall } from './messageRecall.ts';
import { useMentions } from './useMentions.ts';
import { ModelPicker } from './modelPicker.tsx';
import { part } from './part.tsx';
import { usePanel } from './panel.ts';
import { usePanelFocus } from './panelFocus.ts';
import { PermissionButtons } from './permissions.tsx';
import { BranchBar, ContextMeter, PlanView, QueuedMessages, Told } from './parts.ts';
import { PasteOffer, usePasting } from './pasting.tsx';
import { SendButtons, useSend } from './sending.tsx';

const MentionList = part(async () => (await import('./mentionList.tsx')).MentionList);

/** Where messages are written. The host owns the draft: the box empties when it says so. */
export function Composer() {
  const { state, post, drafts } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  usePanelFocus(box);

  const isLoaded = state.loaded.value;
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
  const onKeyDown = (event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }) => {
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
    if (!event.repeat) send({ later: event.altKey });
  };

  return (
    <div class="composer">
      {open && <MentionList typing={typing} />}
      <PasteOffer onDraft={onInput} />
      {state.plan.value && <PlanView plan={state.plan.value} />}
      {state.queue.value.length > 0 && <QueuedMessages queue={state.queue.value} />}
      {state.branchTarget.value && <BranchBar target={state.branchTarget.value} />}
      <div class="composer-box">
        {state.told.value.length > 0 && !state.models.value.selected?.app && <Told told={state.told.value} />}
        <KnowledgeChips />
        <Attachments />
        <textarea
          ref={box}
          rows={1}
          dir="auto"
          aria-label={l10n.t('Message')}
          placeholder={l10n.t('Ask anything; @ adds files and more')}
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
        <div class="composer-bar">
          <IconButton
            name={l10n.t('Attach')}
            icon="attach"
            title={l10n.t(
              'Attach files. Or type @, paste an image, or drop files here while you hold Shift.',
            )}
            onClick={() => post({ type: 'attachFiles' })}
          />
          {isLoaded ? (
            <>
              <KnowledgeButton />
              <PermissionButtons />
              <ModelPicker />
              <ToolsButton />
            </>
          ) : (
            // Where they have a line of their own it is kept free, and the box stays where it is when they come.
            <div class="permission-buttons" />
          )}
          {state.context.value && !state.models.value.selected?.app && (
            <ContextMeter use={state.context.value} />
          )}
          <SendButtons
            onSend={(options) => {
              send(options);
              if (!state.pickerOpen.peek()) box.current?.focus();
            }}
          />
        </div>
      </div>
    </div>
  );
}

function ToolsButton() {
  const { state, post } = usePanel();
  const isApp = state.models.value.selected?.app !== undefined;
  const { on, total } = state.tools.value;
  const description = isApp
    ? l10n.t('Apps use their own tools')
    : l10n.t('Tools on: {0} of {1}', formatNumber(on), formatNumber(total));
  return (
    <IconButton
      class="counted"
      name={l10n.t('Tools')}
      icon="tools"
      // Drawn by the style, so that the button's name stays what it is.
      data-count={isApp ? undefined : formatNumber(on)}
      aria-disabled={isApp}
      aria-description={description}
      title={description}
      onClick={() => !isApp && post({ type: 'chooseTools' })}
    />
  );
}
