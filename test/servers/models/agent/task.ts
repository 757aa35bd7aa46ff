import type { Replacement } from './work.ts';

export const task = {
  asked: /\b(?:fix|failing|fails?|broken)\b[^]*\btests?\b|\btests?\b[^]*\bfail|^carry out this plan/i,
  testCommand: 'npm test',
  files: ['test/mayLeave.test.js', 'src/mayLeave.js', 'src/margin.js'],
  plan: [
    'Let `marginMetres` in `src/margin.js` take the force of the wind and ask for 0.5 m when it is strong.',
    'Hand it the wind in `src/mayLeave.js`.',
    'Run the failing test again with `npm test`.',
  ],
  cause: '`mayLeave` does not hand the wind to `marginMetres`, which asks for 0.3 m whatever the weather.',
};

/** Tried in order while the tests fail. The first is wrong at force 6 itself, as the tests find. */
export const attempts: readonly { say: string; edits: readonly Replacement[] }[] = [
  {
    say: `${task.cause} I change both.`,
    edits: [
      {
        path: 'src/margin.js',
        oldText: 'export function marginMetres() {\n  return 0.3;',
        newText: 'export function marginMetres(windForce) {\n  return windForce >= 6 ? 0.5 : 0.3;',
      },
      { path: 'src/mayLeave.js', oldText: 'marginMetres();', newText: 'marginMetres(windForce);' },
    ],
  },
  {
    say: 'Force 6 itself must not ask for more: the test says "above force 6".',
    edits: [{ path: 'src/margin.js', oldText: 'windForce >= 6', newText: 'windForce > 6' }],
  },
];

export const extras: readonly { asked: RegExp; say: string; edit: Replacement }[] = [
  {
    asked: /\bchange ?log\b/i,
    say: 'The changelog gets a line, as you asked.',
    edit: {
      path: 'CHANGELOG.md',
      oldText: '## Unreleased\n',
      newText: '## Unreleased\n\n- Asks for 0.5 m under the keel when the wind is above force 6.\n',
    },
  },
  {
    asked: /\breadme\b/i,
    say: 'The README gets a line, as you asked.',
    edit: {
      path: 'README.md',
      oldText: '## Layout\n',
      newText: '## Layout\n\n- `test/` checks it: `npm test`\n',
    },
  },
];
