// Measures the registered provider of suggestions on a document of a real editor.
import { rename, writeFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { withPerson } from '../editor/person.ts';

/** Elapsed, and of the extension host's processor, which other work on the machine doesn't delay. */
export interface Took {
  ms: number;
  processorMs: number;
}

export interface SuggestionTimes {
  /** From the call to the suggestion, which a request answers. */
  asked: Took[];
  /** The same where the user types what was suggested. */
  along: Took[];
  /** The same request by `fetch` alone. */
  bare: Took[];
}

const places = 40;
const model = 'scripted-completer';

export async function run(): Promise<void> {
  const file = process.env['SWITCHBOARD_BENCH_RESULT'] ?? '';
  const result = await measure().catch((error: unknown) => ({ error: String(error) }));
  await writeFile(`${file}.partial`, JSON.stringify(result));
  await rename(`${file}.partial`, file);
}

async function measure(): Promise<SuggestionTimes> {
  // The editor itself asks for none, and doesn't save meanwhile.
  await vscode.workspace.getConfiguration('editor').update('inlineSuggest.enabled', false, true);
  await vscode.workspace.getConfiguration('files').update('autoSave', 'off', true);
  const provider = await turnOn();
  const lines = Array.from({ length: 5_000 }, (_, at) => `const tide${at} = read(${at}, 'harbour');`);
  const uri = vscode.Uri.joinPath(vscode.workspace.workspaceFolders![0]!.uri, 'long.ts');
  await vscode.workspace.fs.writeFile(uri, Buffer.from(lines.join('\n')));
  const editor = await vscode.window.showTextDocument(uri);
  const times: SuggestionTimes = { asked: [], along: [], bare: [] };
  for (let place = 0; place < places; place++) {
    const begun = `const flood${place} = `;
    const position = new vscode.Position(2_500 + place, begun.length);
    await editor.edit((edit) => edit.insert(position.with({ character: 0 }), `${begun}\n`));
    const [asked, text] = await suggestion(provider, editor.document, position);
    await editor.edit((edit) => edit.insert(position, text.slice(0, 1)));
    const [along, rest] = await suggestion(provider, editor.document, position.translate(0, 1));
    if (rest !== text.slice(1)) throw new Error(`"${rest}" is not the rest of "${text}".`);
    times.asked.push(asked);
    times.along.push(along);
    times.bare.push((await timed(bare))[0]);
  }
  return times;
}

/** Turns suggestions on as the user does. */
async function turnOn(): Promise<vscode.InlineCompletionItemProvider> {
  let provider: vscode.InlineCompletionItemProvider | undefined;
  const { languages } = vscode;
  const register = languages.registerInlineCompletionItemProvider;
  languages.registerInlineCompletionItemProvider = (selector, given) => {
    provider = given;
    return register(selector, given);
  };
  await withPerson({ picks: [model], answers: ['Turn On'] }, () =>
    vscode.commands.executeCommand('switchboard.chooseSuggestionModel'),
  );
  if (!provider) throw new Error('No suggestions were registered.');
  return provider;
}

async function suggestion(
  provider: vscode.InlineCompletionItemProvider,
  document: vscode.TextDocument,
  position: vscode.Position,
): Promise<[took: Took, text: string]> {
  const { token } = new vscode.CancellationTokenSource();
  const context = {
    triggerKind: vscode.InlineCompletionTriggerKind.Automatic,
    selectedCompletionInfo: undefined,
  };
  const [took, items] = await timed(async () =>
    provider.provideInlineCompletionItems(document, position, context, token),
  );
  const [item] = Array.isArray(items) ? items : [];
  if (typeof item?.insertText !== 'string') throw new Error('Nothing was suggested.');
  return [took, item.insertText];
}

async function bare(): Promise<void> {
  const prompt = 'x'.repeat(4_000);
  const suffix = 'x'.repeat(1_000);
  const response = await fetch(`${process.env['SWITCHBOARD_RELAY_URL']}/v1/completions`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${process.env['SWITCHBOARD_RELAY_KEY']}`,
      'Content-Type': 'application/json',
    },
    body: JSON.stringify({ model, prompt, suffix, max_tokens: 128, temperature: 0 }),
  });
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  await response.json();
}

async function timed<T>(work: () => Promise<T>): Promise<[took: Took, result: T]> {
  const [began, processor] = [performance.now(), process.cpuUsage()];
  const result = await work();
  const { user, system } = process.cpuUsage(processor);
  return [{ ms: performance.now() - began, processorMs: (user + system) / 1_000 }, result];
}
