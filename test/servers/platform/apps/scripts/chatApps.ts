import { text } from '../appStep.ts';
import type { FormEntry } from '../inputForm.ts';
import type { ScriptedApp } from '../scriptedApp.ts';
import { reply } from './echo.ts';

const documents = ['.md', '.txt', '.ts', '.py', '.json', '.csv', '.pdf'];

export const tideHelper: ScriptedApp = {
  mode: 'chat',
  key: 'app-sandboxgood',
  name: 'Tide helper',
  describe: 'Talks about tides. "write 300 lines" makes it talk long; it knows what was said before.',
  tags: ['harbour'],
  opening: 'Ahoy! I am the **Tide helper**. Ask me about tides, heights and departures.',
  suggestedQuestions: ['When may I leave with a draught of 1.8 m?', 'What did I say before?'],
  repliesByAnnotation: true,
  followUps: ['What did I say before?', 'How large should the margin be?', 'Write 20 lines'],
  files: { types: ['image', 'document', 'custom'], extensions: documents, maxFiles: 3 },
  *answer(turn) {
    yield text(reply('Tide helper', turn));
  },
};

const everyKind: readonly FormEntry[] = [
  { kind: 'text-input', variable: 'boat', label: 'Name of the boat', required: true, max_length: 20 },
  { kind: 'paragraph', variable: 'crew', label: 'The crew, one in a line', max_length: 200 },
  {
    ...{ kind: 'number', variable: 'draught', label: 'Draught in metres', required: true },
    ...{ placeholder: '1.8', hint: 'From the waterline to the keel' },
  },
  { kind: 'number', variable: 'length', label: 'Length in metres', default: 9.5 },
  {
    kind: 'select',
    variable: 'harbour',
    label: 'Harbour',
    required: true,
    options: ['Søndervig', 'Altmühle', '青い港'],
  },
  { kind: 'select', variable: 'weather', label: 'Weather', options: ['calm', 'rough'], default: 'calm' },
  { kind: 'checkbox', variable: 'night', label: 'Sails at night', default: false },
  {
    kind: 'file',
    variable: 'chart',
    label: 'Chart',
    allowed_file_types: ['image', 'document'],
    allowed_file_extensions: [],
    allowed_file_upload_methods: ['local_file', 'remote_url'],
  },
  {
    kind: 'file-list',
    variable: 'papers',
    label: 'Papers of the boat',
    max_length: 2,
    allowed_file_types: ['document', 'custom'],
    allowed_file_extensions: ['.ts', '.py'],
    allowed_file_upload_methods: ['local_file'],
  },
  {
    ...{ kind: 'json_object', variable: 'equipment', label: 'Equipment, as JSON' },
    json_schema: { type: 'object', properties: { radar: { type: 'boolean' } } },
  },
  { kind: 'text-input', variable: 'season', label: 'Season', default: 'summer', hide: true },
  // Filled by the server, so it must not be asked for.
  { kind: 'external_data_tool', variable: 'forecast', label: 'Forecast' },
  // A field of a server newer than any client.
  { kind: 'voyage-picker', variable: 'route', label: 'Route' },
];

export const passagePlanner: ScriptedApp = {
  mode: 'chat',
  key: 'app-sandboxform',
  name: 'Passage planner',
  icon: '⚓',
  hasAudio: true,
  describe: 'Asks for the boat first: a form with every kind of field.',
  tags: ['harbour', 'planning'],
  form: everyKind,
  opening: 'Tell me about {{boat}}, and I will plan the passage.',
  suggestedQuestions: ['Plan a passage for tomorrow.'],
  *answer(turn) {
    yield text(reply('Passage planner', turn));
  },
};
