import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import type { Ref } from 'preact';
import { formatNumber, plural } from '../../base/text/format.ts';
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

export function foldLabel(isOpen: boolean, lines: number): string {
  if (isOpen) return l10n.t('Show Less');
  return plural(lines, l10n.t('Show 1 Line'), l10n.t('Show All {0} Lines', formatNumber(lines)));
}
