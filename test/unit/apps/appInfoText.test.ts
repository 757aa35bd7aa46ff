import assert from 'node:assert/strict';
import { appInfoText, type AppDescription } from '../../../src/apps/appInfoText.ts';
import { defaultMaxBytes } from '../../../src/apps/client/appFiles.ts';

const facts: AppDescription = {
  app: {
    id: 'a',
    origin: 'https://example.com',
    baseUrl: 'https://example.com',
    name: 'Planner\n# not a heading',
    kind: 'chatflow',
    description: '',
    addedAtMs: 0,
  },
  info: { name: 'Planner', description: 'Plans.', kind: 'chatflow', tags: ['harbour', 'planning'] },
  parameters: {
    openingStatement: 'Tell me about your boat.',
    suggestedQuestions: ['When?', 'Where?'],
    suggestsAfterAnswer: false,
    form: [
      { type: 'text', variable: 'boat', label: 'Boat', isRequired: true, maxLength: 20 },
      {
        type: 'select',
        variable: 'harbour',
        label: 'Harbour',
        isRequired: false,
        options: ['Altmühle', '青い港'],
        default: '青い港',
      },
    ],
    files: {
      isEnabled: true,
      types: ['image', 'custom'],
      extensions: ['.md'],
      methods: ['local_file'],
      maxFiles: 3,
      maxBytes: defaultMaxBytes,
    },
  },
  tools: { tide_table: { content: '🌊', background: '#fff' } },
  feedbacks: [{ rating: 'like', content: 'Good\nas gold' }, { rating: 'dislike' }],
};

describe('what is known of an app', () => {
  it('is told in full, each fact in a line', () => {
    assert.equal(
      appInfoText(facts),
      `# Planner # not a heading

Plans.

- Type: chatflow
- Platform: https://example.com
- Tags: harbour, planning
- File attachments: at most 3: image, .md

## Opening statement

Tell me about your boat.

## Suggested questions

- When?
- Where?

## Form

- **Boat** (\`boat\`): single-line text; required; at most 20 characters
- **Harbour** (\`harbour\`): choice; one of: Altmühle, 青い港; default: 青い港

## Tools

- tide_table

## Feedback

- 👍 Good as gold
- 👎
`,
    );
  });

  it('has the emoji and the notices of its site, in lines that nothing in them can break', () => {
    const site = {
      ...{ title: 'Plan\nit', description: '', icon: '🧭', language: 'de', copyright: '© Harbour' },
      ...{ privacyPolicy: 'https://example.com/privacy', disclaimer: 'No\n# warranty' },
    };
    const text = appInfoText({ ...facts, app: { ...facts.app, look: { icon: '🧭' } }, site });
    assert.match(text, /^# 🧭 Planner # not a heading\n/);
    assert.ok(
      text.includes(
        '- Title: Plan it\n- Language: de\n- Copyright: © Harbour\n- Privacy policy: https://example.com/privacy\n- Disclaimer: No # warranty\n',
      ),
    );
  });
});
