import * as l10n from '@vscode/l10n';
import { useSignalEffect } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { formatNumber } from '../../base/text/format.ts';
import { Attachments } from './attachments.tsx';
import { IconButton } from '../controls/icon.tsx';
import { KnowledgeButton, KnowledgeChips } from '../picker/knowledgeChoice.tsx';
import { MessageRecall } from './messageRecall.ts';
import { ModelPicker } from '../picker/modelPicker.tsx';
import { useMessageField } from './messageField.tsx';
import { usePanel } from '../state/panel.ts';
import { usePanelFocus } from '../controls/focus.ts';
import { PermissionButtons } from '../picker/permissions.tsx';
import { BranchBar, ContextMeter, PlanView, QueuedMessages, ContextChips } from '../lazyComponents.tsx';
import { SendButtons, useSend, type SendOptions } from './sending.tsx';

/** The message box. The host owns the draft and empties it. */
export function Composer() {
  const { state, post } = usePanel();
  const box = useRef<HTMLTextAreaElement>(null);
  usePanelFocus(box);

  const send = useSend();
  const recall = useMemo(() => new MessageRecall(post, (text) => field.current.onInput(text)), []);
  const shown = useMessageField(box, send, (event) => {
    if (event.key === 'Escape' && !event.isComposing && state.branchTarget.peek()) {
      post({ type: 'cancelBranch' });
      return true;
    }
    return recall.onKey(event);
  });
  const field = useRef(shown);
  field.current = shown;
  useSignalEffect(() => {
    const message = state.recalled.value;
    if (message) recall.found(message);
  });

  return (
    <div class="composer">
      {shown.mentions}
      {shown.offer}
      {state.plan.value && <PlanView plan={state.plan.value} />}
      {state.queue.value.length > 0 && <QueuedMessages queue={state.queue.value} />}
      {state.branchTarget.value && <BranchBar />}
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
          aria-label={l10n.t('Message')}
          placeholder={l10n.t('Ask anything. @ for context, / for commands')}
          {...shown.attributes}
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
