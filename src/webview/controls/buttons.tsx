import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { Ref } from 'preact';
import { IconButton } from './icon.tsx';
import { usePanel } from '../state/panel.ts';

const copiedMs = 1500;

export function CopyButton({ text }: { text(): string }) {
  const { post } = usePanel();
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), copiedMs);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => {
    post({ type: 'copyText', text: text() });
    setCopied(true);
  };
  return (
    <IconButton
      name={l10n.t('Copy')}
      title={l10n.t('Copy as Markdown')}
      icon={copied ? 'check' : 'copy'}
      onClick={copy}
    />
  );
}

export function ContinueButton({ onContinue }: { onContinue(): void }) {
  return (
    <button type="button" class="button" onClick={onContinue}>
      {l10n.t('Continue')}
    </button>
  );
}

export function ConnectRelayButton({ button }: { button?: Ref<HTMLButtonElement> }) {
  const { post } = usePanel();
  return (
    <button
      ref={button}
      type="button"
      class="button"
      onClick={() => post({ type: 'applyRemedy', remedy: 'connectRelay' })}
    >
      {l10n.t('Connect Relay…')}
    </button>
  );
}
