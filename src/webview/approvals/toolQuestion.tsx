import * as l10n from '@vscode/l10n';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { FilePreview, ToolQuestion as Question } from '../../shared/tools.ts';
import { Icon, IconButton } from '../controls/icon.tsx';
import { usePanel } from '../state/panel.ts';
import { Arguments, ShownText } from './arguments.tsx';
import { formatNumber, plural } from '../../base/text/format.ts';
import { shortcuts, useAnswerKeys } from './answerKeys.ts';
import { ChangeCount, DiffLines } from './diffLines.tsx';

interface Props {
  id: string;
  question: Question;
}

interface AlwaysProps {
  always: string;
  wider: string | undefined;
  answer(decision: 'always' | 'wider'): void;
}

export function ToolQuestion({ id, question }: Props) {
  const { preview, isFolded, isDangerous, why, always, wider } = question;
  const { post, views } = usePanel();
  const [isDenying, setDenying] = useState(views.denial?.id === id);
  const answer = (decision: 'allow' | 'always' | 'wider') => post({ type: 'answerTool', id, decision });
  const box = useRef<HTMLDivElement>(null);
  const wasUnfolded = useRef(false);
  // No rule may answer these: they can destroy or send something.
  useAnswerKeys(box, { isFolded, isDenying, needsFocus: isDangerous || why !== undefined });
  useLayoutEffect(() => {
    // Focus moves to the content: the key that unfolded it, held down, would allow the call.
    if (wasUnfolded.current && !isFolded) box.current?.querySelector<HTMLElement>('[tabindex]')?.focus();
  }, [isFolded]);
  const unfold = () => {
    wasUnfolded.current = true;
    post({ type: 'unfoldTool', id });
  };
  const deny = (
    <button
      key="deny"
      type="button"
      class="button secondary"
      data-answer="deny"
      title={l10n.t('Deny ({0})', shortcuts.deny)}
      aria-keyshortcuts={shortcuts.deny}
      onClick={() => setDenying(true)}
    >
      {l10n.t('Deny')}
    </button>
  );
  const allow = (
    <button
      key="allow"
      type="button"
      class={isDangerous ? 'button danger' : 'button'}
      data-answer="allow"
      title={l10n.t('Allow ({0})', shortcuts.allow)}
      aria-keyshortcuts={shortcuts.allow}
      // Ignores the second click of a double click on *Show All*.
      onClick={({ detail }) => detail < 2 && answer('allow')}
    >
      {isDangerous && <Icon name="warning" />}
      {l10n.t('Allow')}
    </button>
  );
  return (
    <div class="tool-question" ref={box}>
      {preview.type === 'edit'
        ? preview.files.map((file) => <EditPreviewView key={file.path} id={id} preview={file} />)
        : preview.rows.length > 0 && <Arguments given={preview} />}
      {why !== undefined && (
        <p class="note">
          <Icon name="shield" />
          <span>{why}</span>
        </p>
      )}
      {isDenying ? (
        <DenyForm id={id} onCancel={() => setDenying(false)} />
      ) : (
        <div class="tool-answers">
          {isDangerous && deny}
          {isFolded ? (
            <button key="unfold" type="button" class="button" data-answer="allow" onClick={unfold}>
              {l10n.t('Show All')}
            </button>
          ) : (
            allow
          )}
          {always !== undefined && !isFolded && <AlwaysButton key="always" {...{ always, wider, answer }} />}
          {!isDangerous && deny}
        </div>
      )}
    </div>
  );
}

function AlwaysButton({ always, wider, answer }: AlwaysProps) {
  return (
    <span class="split-button">
      <button
        type="button"
        class="button secondary"
        title={always}
        onClick={({ detail }) => detail < 2 && answer('always')}
      >
        {l10n.t('Always Allow')}
      </button>
      {wider !== undefined && (
        <IconButton icon="chevron-down" name={`${wider}…`} onClick={() => answer('wider')} />
      )}
    </span>
  );
}

/** Asks for an optional reason. The text survives a reload of the page. */
function DenyForm({ id, onCancel }: { id: string; onCancel(): void }) {
  const { post, views } = usePanel();
  const reason = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => reason.current?.focus(), []);
  const cancel = () => {
    views.denial = undefined;
    onCancel();
  };
  const deny = () => {
    const why = reason.current?.value.trim();
    views.denial = undefined;
    post({ type: 'answerTool', id, decision: 'deny', ...(why && { reason: why }) });
  };
  return (
    <form
      class="deny-form"
      onSubmit={(event) => {
        event.preventDefault();
        deny();
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing) return;
        event.preventDefault();
        cancel();
      }}
    >
      <input
        ref={reason}
        class="text-input"
        defaultValue={views.denial?.id === id ? views.denial.reason : ''}
        onInput={(event) => (views.denial = { id, reason: event.currentTarget.value })}
        aria-label={l10n.t('Reason for denying')}
        placeholder={l10n.t('Reason (optional, sent to the model)')}
      />
      <div class="tool-answers">
        <button type="submit" class="button" data-answer="deny">
          {l10n.t('Deny')}
        </button>
        <button type="button" class="button secondary" onClick={cancel}>
          {l10n.t('Cancel')}
        </button>
      </div>
    </form>
  );
}

function EditPreviewView({ id, preview }: { id: string; preview: FilePreview }) {
  const { post } = usePanel();
  const { path, shownPath, isNew, added, removed, lines, more } = preview;
  const open = () => post({ type: 'showProposal', id, path });
  return (
    <div class="edit-preview">
      <div class="edit-preview-head">
        <span class="edit-path">
          <ShownText text={shownPath} />
        </span>
        {isNew ? (
          <span class="cut">{l10n.t('new file')}</span>
        ) : (
          <ChangeCount added={added} removed={removed} />
        )}
        <IconButton name={l10n.t('Open Diff')} icon="diff" onClick={open} />
      </div>
      <DiffLines
        lines={lines}
        path={path}
        label={isNew ? l10n.t('Content of the new file') : l10n.t('Proposed edit')}
        isNew={isNew}
      />
      {more > 0 && (
        <button type="button" class="link-button" onClick={open}>
          {plural(more, l10n.t('1 more line'), l10n.t('{0} more lines', formatNumber(more)))}
        </button>
      )}
    </div>
  );
}
