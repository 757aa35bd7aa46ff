import assert from 'node:assert/strict';
import { readSite } from '../../../../src/apps/client/readSite.ts';

describe('readSite', () => {
  it('takes an emoji for an icon, and nothing that only looks like one', () => {
    const iconOf = (icon: unknown, icon_type: unknown = 'emoji') =>
      readSite({ title: 'A', icon, icon_type })?.icon;
    assert.deepEqual(
      ['🤖', '👩‍🚀', '🇩🇪', '❤️'].map((icon) => iconOf(icon)),
      ['🤖', '👩‍🚀', '🇩🇪', '❤️'],
    );
    for (const other of ['', 'robot_face', 'a', '🤖🤖', '🤖\u202e', '$(alert)', 7, null])
      assert.equal(iconOf(other), undefined, String(other));
    assert.equal(iconOf('🤖', 'image'), undefined);
    assert.equal(iconOf('🤖', null), '🤖');
  });

  it('takes a background for an emoji alone, and a picture only with its address', () => {
    const colored = { title: 'A', icon: '🤖', icon_type: 'emoji', icon_background: '#FFEAD5' };
    assert.equal(readSite(colored)?.iconBackground, '#FFEAD5');
    assert.equal(readSite({ ...colored, icon_background: 'red; top: 0' })?.iconBackground, undefined);
    const picture = { ...colored, icon_type: 'image', icon: 'f1', icon_url: '/files/f1' };
    assert.deepEqual(readSite(picture), {
      ...{ title: 'A', description: '', picture: { id: 'f1', address: '/files/f1' } },
    });
    assert.equal(readSite({ ...picture, icon_url: null })?.picture, undefined);
  });

  it('reads a site whose fields are of other kinds, and nothing else for one', () => {
    assert.deepEqual(readSite({ title: 7, description: null, copyright: [], privacy_policy: '' }), {
      title: '',
      description: '',
    });
    for (const other of [undefined, [], 'x', {}, { name: 'A' }]) assert.equal(readSite(other), undefined);
  });
});
