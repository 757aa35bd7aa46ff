import { packageExtension } from '../host/packaged.ts';
import { benchActivation } from './activation.ts';
import { benchAllow } from './allow.ts';
import { benchBridge } from './bridge.ts';
import { benchCommand } from './command.ts';
import { benchConversation } from './conversation.ts';
import { benchDecode } from './decode.ts';
import { benchFlows } from './flows.ts';
import { benchHistory } from './history.ts';
import { benchHostile } from './hostile.ts';
import { benchKnowledge } from './knowledge.ts';
import { benchMentions } from './mentions.ts';
import { benchPage } from './page.ts';
import { benchPanel } from './panel.ts';
import { benchPrompt } from './prompt.ts';
import { benchRender } from './render.ts';
import { benchRounds } from './rounds.ts';
import { printRows, type Row } from './rows.ts';
import { benchSearch } from './search.ts';
import { benchSizes } from './sizes.ts';
import { benchSources } from './sources.ts';
import { benchSuggestions } from './suggestions.ts';

const parts: Record<string, { title: string; measure: () => Row[] | Promise<Row[]> }> = {
  sizes: { title: 'What is loaded', measure: benchSizes },
  activation: { title: 'Start', measure: benchActivation },
  conversation: { title: 'A long conversation', measure: benchConversation },
  panel: { title: 'Opening the panel', measure: benchPanel },
  page: { title: 'Drawing an answer', measure: benchPage },
  hostile: { title: 'Drawing what freezes others', measure: benchHostile },
  search: { title: 'Searching', measure: benchSearch },
  suggestions: { title: 'Suggestions while typing', measure: benchSuggestions },
  mentions: { title: 'Typing @', measure: benchMentions },
  history: { title: 'Conversations on disk', measure: benchHistory },
  flows: { title: 'Workflows as code', measure: benchFlows },
  prompt: { title: 'What is sent', measure: benchPrompt },
  command: { title: 'Running a command', measure: benchCommand },
  allow: { title: 'Allowing an edit', measure: benchAllow },
  render: { title: 'A history for another model', measure: benchRender },
  rounds: { title: 'Running tools', measure: benchRounds },
  knowledge: { title: 'Files into a knowledge base', measure: benchKnowledge },
  bridge: { title: 'Knowledge for other programs', measure: benchBridge },
  sources: { title: 'Sources of answers', measure: benchSources },
  decode: { title: 'Reading an answer', measure: benchDecode },
};

/** Prints the figures; those over budget are marked `!` and make the command fail. */
export async function run(names: readonly string[]): Promise<void> {
  const chosen = names.length > 0 ? names : Object.keys(parts);
  await packageExtension();
  let isKept = true;
  for (const name of chosen) {
    const part = parts[name];
    if (!part) throw new Error(`There is no part "${name}"; there are ${Object.keys(parts).join(', ')}.`);
    const rows = await part.measure();
    printRows(part.title, rows);
    isKept &&= rows.every(({ kept }) => kept);
  }
  if (!isKept) process.exitCode = 1;
}
