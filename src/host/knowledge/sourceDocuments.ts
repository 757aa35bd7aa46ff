import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import * as z from 'zod/mini';
import { isCancelled, SwitchboardError } from '../../base/errors/errors.ts';
import { parseJson } from '../../base/json.ts';
import type { PlatformClient } from '../../platform/platformClient.ts';
import type { DocumentPlace } from '../../platform/documents/segments.ts';
import type { Segment } from '../../platform/records.ts';
import { readIndexedText, segmentText } from '../../knowledge/indexedText.ts';
import { toAbortSignal } from '../ui/cancellation.ts';
import { sourceScheme } from '../ids.ts';

const addressSchema = z.union([
  z.object({ dataset: z.string(), document: z.string(), segment: z.optional(z.string()) }),
  z.object({ kept: z.string() }),
]);

export class SourceDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly closing = vscode.workspace.onDidCloseTextDocument(({ uri }) =>
    this.texts.delete(uri.toString()),
  );
  private nextKept = 1;

  constructor(private readonly client: () => Promise<PlatformClient | undefined>) {}

  async provideTextDocumentContent(uri: vscode.Uri, token: vscode.CancellationToken): Promise<string> {
    const kept = this.texts.get(uri.toString());
    if (kept !== undefined) return kept;
    const address = addressSchema.safeParse(parseJson(uri.query));
    const client = await this.client();
    if (!address.success || 'kept' in address.data || !client) return l10n.t('This no longer exists.');
    const { dataset, document, segment } = address.data;
    const place = { datasetId: dataset, documentId: document };
    const signal = toAbortSignal(token);
    try {
      return segment === undefined
        ? await readIndexedText(client, place, signal)
        : segmentText(await client.segments.get(place, segment, signal));
    } catch (error) {
      // The editor would replace an error's text with its own generic one.
      if (error instanceof SwitchboardError && !isCancelled(error)) return error.message;
      throw error;
    }
  }

  async showSegment(place: DocumentPlace, names: SourceNames, segment: Segment): Promise<void> {
    const { datasetId, documentId } = place;
    const uri = addressOf(names, { dataset: datasetId, document: documentId, segment: segment.id });
    await this.show(uri, segmentText(segment));
  }

  async showDocument(place: DocumentPlace, names: SourceNames, text: string): Promise<void> {
    const { datasetId, documentId } = place;
    await this.show(addressOf(names, { dataset: datasetId, document: documentId }), text);
  }

  async showKept(names: SourceNames, text: string): Promise<void> {
    await this.show(this.keep(names, text), text);
  }

  /** The address of a text that can't be loaded again. Kept until its document is closed. */
  keep(names: SourceNames, text: string): vscode.Uri {
    const uri = addressOf(names, { kept: String(this.nextKept++) });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  dispose(): void {
    this.closing.dispose();
  }

  private async show(uri: vscode.Uri, text: string): Promise<void> {
    this.texts.set(uri.toString(), text);
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true });
  }
}

export interface SourceNames {
  base: string;
  document: string;
}

function addressOf({ base, document }: SourceNames, address: z.infer<typeof addressSchema>): vscode.Uri {
  const name = document.replaceAll('\\', '/').replace(/^\/+/, '');
  return vscode.Uri.from({
    scheme: sourceScheme,
    path: `/${base.replaceAll('/', '-')}/${name}`,
    query: JSON.stringify(address),
  });
}
