import * as l10n from '@vscode/l10n';
import type { Refusal } from '../../tools/policy/verdict.ts';
import { ToolFailure } from '../../tools/toolFailure.ts';
import type { Attachment, AttachmentSource } from './attachment.ts';
import { messageOf, SwitchboardError } from '../../base/errors/errors.ts';

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1) || path;
}

export function failWith(refusal: Refusal): never {
  throw new ToolFailure(refusal.forModel, refusal);
}

export function refused(source: AttachmentSource, error: unknown): Attachment {
  const refusal = error instanceof ToolFailure ? error.refusal : undefined;
  const base = describeSource(source);
  if (refusal) return withRefusal(base, refusal);
  const forModel = messageOf(error);
  return { ...base, refusal: { forModel, forUser: failureMessage(source, error) } };
}

function failureMessage(source: AttachmentSource, error: unknown): string {
  if (error instanceof SwitchboardError) return error.message;
  if (!(error instanceof ToolFailure)) {
    return l10n.t("Couldn't be read: {0}", messageOf(error));
  }
  if (source.type === 'changes') return l10n.t('No Git repository found.');
  return l10n.t("Not a text file, so it can't be sent.");
}

export function withRefusal(
  { kind, label, path, lines }: Attachment,
  { forModel, forUser }: Refusal,
): Attachment {
  return {
    kind,
    label,
    ...(path !== undefined && { path }),
    ...(lines && { lines }),
    refusal: { forModel, forUser },
  };
}

export function describeSource(source: AttachmentSource): Attachment {
  switch (source.type) {
    case 'path':
      return { kind: 'file', label: nameOf(source.path), path: nameOf(source.path) };
    case 'range':
      return {
        kind: source.name === undefined ? 'selection' : 'symbol',
        label: source.name ?? nameOf(source.path),
      };
    case 'problems':
      return { kind: 'problems', label: l10n.t('Problems') };
    case 'changes':
      return { kind: 'changes', label: l10n.t('Changes') };
    case 'image':
      return { kind: 'image', label: source.name };
    case 'text':
      return { kind: source.of ?? 'text', label: source.name };
    case 'unplaced':
      return unplaced(source);
  }
}

export function unplaced({ name }: { name: string }): Attachment {
  return {
    kind: 'file',
    label: name,
    path: name,
    refusal: {
      forModel: 'It was dropped from outside of the workspace.',
      forUser: l10n.t(
        "File location unknown, so it can't be attached. Drag it from the Explorer or use Attach.",
      ),
    },
  };
}
