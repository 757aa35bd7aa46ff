import * as l10n from '@vscode/l10n';
import { useEffect, useState } from 'preact/hooks';
import { IconButton } from './icon.tsx';
import { usePanel } from './panel.ts';

/** How long the button says that it worked. */
const copiedMs = 1500;

/** Copies a message or an answer as it was written, which is Markdown. */
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
