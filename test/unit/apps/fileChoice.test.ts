import assert from 'node:assert/strict';
import { chosenName } from '../../../src/apps/appForm.ts';
import type { AcceptedFiles } from '../../../src/apps/app.ts';
import { defaultMaxBytes } from '../../../src/apps/client/appFiles.ts';
import { type ChosenFile, problemWithFiles, sentType } from '../../../src/apps/fileChoice.ts';

const file = (name: string): ChosenFile => ({ method: 'local_file', name, size: 1 });
const url = (address: string): ChosenFile => ({ method: 'remote_url', url: address });

describe('sentType', () => {
  const cases: [ChosenFile, types: string[], extensions: string[], sent: string | undefined][] = [
    [file('a.png'), ['image'], [], 'image'],
    [file('a.png'), ['document'], [], undefined],
    [file('a.md'), ['document', 'custom'], ['.md'], 'document'],
    [file('a.md'), ['custom'], ['.md'], 'custom'],
    [file('a.ts'), ['custom'], ['.md'], undefined],
    [file('a.ts'), ['document'], ['.ts'], undefined],
    [file('a.ts'), [], [], 'custom'],
    [file('Makefile'), ['custom'], ['.md'], undefined],
    [url('https://a.example/x/a.PNG?y=.pdf'), ['image'], [], 'image'],
    [url('https://a.example/picture'), ['image'], [], 'image'],
    [url('https://a.example/a.pdf'), ['image'], [], undefined],
  ];
  for (const [chosen, types, extensions, sent] of cases) {
    const name = chosenName(chosen);
    it(`sends ${name} as ${sent} where ${[...types, ...extensions].join(' ') || 'all'} may be sent`, () => {
      assert.equal(sentType(chosen, { types, extensions }), sent);
    });
  }
});

describe('problemWithFiles', () => {
  const limits = { types: ['image'], extensions: [], maxBytes: defaultMaxBytes, maxFiles: 1 };

  it('takes only addresses of the web, and only where addresses are taken', () => {
    const methods: AcceptedFiles['methods'] = ['remote_url'];
    assert.equal(problemWithFiles([url('https://a.example/a.png')], { ...limits, methods }), undefined);
    assert.ok(problemWithFiles([url('file:///etc/a.png')], { ...limits, methods }));
    assert.ok(problemWithFiles([file('a.png')], { ...limits, methods }));
    assert.ok(problemWithFiles([url('https://a.example/a.png')], { ...limits, methods: ['local_file'] }));
  });
});
