import { type AppStep, text, type ThoughtSpec } from '../appStep.ts';
import type { AppTurn, ScriptedApp } from '../scriptedApp.ts';
import { reply } from './echo.ts';
import { findPassages, toSources } from './harbourHandbook.ts';
import { generatedFileUrl } from '../generatedFiles.ts';

const tool = { tool: 'tide_table', toolLabel: 'Tide table' };

const agent = {
  mode: 'agent-chat',
  describe: 'Thinks aloud and looks into a tide table before it answers.',
  tags: ['harbour'],
  opening: 'I look things up before I answer.',
  followUps: ['And with wind above force 6?', 'How fast may I go inside the mole?'],
  toolIcons: {
    tide_table: { content: '🌊', background: '#E0F2FE' },
    chart_plotter: 'https://icons.invalid/chart.png',
  },
  files: { types: ['image', 'document', 'custom'], extensions: ['.md', '.txt'], maxFiles: 3 },
} as const;

/** Sends each thought several times, growing, and repeats the answer's text in it. */
export const harbourAgent: ScriptedApp = {
  ...agent,
  key: 'app-sandboxagent',
  name: 'Harbour agent',
  answer: (turn) => lookUpAndAnswer('Harbour agent', turn),
};

/** Newer documents say: the whole answer comes once more, as a `message`. */
export const repeatingAgent: ScriptedApp = {
  ...agent,
  key: 'app-sandboxagentrepeats',
  name: 'Harbour agent that repeats itself',
  describe: 'As the harbour agent, but sends the whole answer once more at the end, as some versions do.',
  *answer(turn) {
    let answer = '';
    for (const step of lookUpAndAnswer('Harbour agent', turn)) {
      if (step.type === 'text') answer += step.text;
      yield step;
    }
    yield { type: 'messageEvent', event: 'message', fields: { answer } };
  },
};

function* lookUpAndAnswer(name: string, turn: AppTurn): Iterable<AppStep> {
  const plan = 'I will look into the tide table first.\n\n';
  const input = JSON.stringify({ tide_table: { question: turn.query } });
  const found = findPassages(turn.query);

  const first: ThoughtSpec = { id: 'first', position: 1, thought: '' };
  yield { type: 'thought', thought: first };
  yield text(plan);
  const planned = { ...first, ...tool, thought: plan, toolInput: input };
  yield { type: 'thought', thought: planned };
  const observation = JSON.stringify({ tide_table: found.map(({ content }) => content).join('\n') });
  const observed = { ...planned, observation };
  yield { type: 'thought', thought: observed };

  if (/\bchart\b/i.test(turn.query)) yield* drawChart(turn);

  const second: ThoughtSpec = { id: 'second', position: 3, thought: '' };
  yield { type: 'thought', thought: second };
  const answer = `${reply(name, turn)}\n\nThe table says: ${found[0]?.content ?? 'nothing.'}`;
  yield text(answer);
  yield { type: 'thought', thought: { ...second, thought: answer } };
  yield { type: 'sources', sources: toSources(found) };
}

function* drawChart(turn: AppTurn): Iterable<AppStep> {
  const { id, url } = generatedFileUrl(turn.origin, 'tides.png');
  const thought: ThoughtSpec = {
    id: 'chart',
    position: 2,
    thought: '',
    tool: 'chart_plotter',
    toolLabel: 'Chart plotter',
    toolInput: JSON.stringify({ chart_plotter: { days: 1 } }),
    observation: 'image has been created and sent to user already',
    messageFiles: [id],
  };
  yield {
    type: 'messageEvent',
    event: 'message_file',
    fields: { id, type: 'image', belongs_to: 'assistant', url },
  };
  yield { type: 'thought', thought };
}
