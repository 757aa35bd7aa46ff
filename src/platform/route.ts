import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../base/errors/errors.ts';

/** Builds a path below `/v1` with encoded ids. Throws for ids that would lead elsewhere. */
export function route(pieces: TemplateStringsArray, ...ids: readonly string[]): string {
  return pieces.reduce((path, piece, index) => path + encoded(ids[index - 1] ?? '') + piece);
}

function encoded(id: string): string {
  if (id === '' || id === '.' || id === '..') {
    throw new SwitchboardError(
      'request',
      l10n.t('The platform returned an ID that can\'t be part of an address: "{0}".', id),
    );
  }
  return encodeURIComponent(id.toWellFormed());
}
