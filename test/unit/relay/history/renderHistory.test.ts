import assert from 'node:assert/strict';
import { type Dialect, serviceForm } from '../../../../src/relay/profile/modelDialect.ts';
import { renderHistory } from '../../../../src/relay/history/renderHistory.ts';
import type { Message, ToolCall } from '../../../../src/relay/messages.ts';

const user = (content: string): Message => ({ role: 'user', content });
const answer = (content: string, more: Partial<Message & { role: 'assistant' }> = {}): Message => ({
  ...{ role: 'assistant', model: 'other', content },
  ...more,
});
const call = (id: string, more: Partial<ToolCall> = {}): ToolCall => ({
  ...{ id, name: 'read_file', arguments: '{"path":"a"}' },
  ...more,
});
const calls = (...toolCalls: ToolCall[]) => answer('', { toolCalls });
const result = (toolCallId: string, content = 'text'): Message => ({ role: 'tool', toolCallId, content });

const render = (messages: readonly Message[], dialect: Partial<Dialect> = {}, hasTools = true) =>
  renderHistory(messages, { model: 'own', dialect: { ...serviceForm, ...dialect }, hasTools });
const rolesOf = (messages: readonly Message[]) => messages.map(({ role }) => role).join(' ');
const idsOf = (messages: readonly Message[]) =>
  messages.flatMap((message) =>
    message.role === 'tool'
      ? message.toolCallId
      : message.role === 'assistant'
        ? (message.toolCalls ?? []).map(({ id }) => id)
        : [],
  );
const assistants = (messages: readonly Message[]) =>
  messages.filter((message): message is Message & { role: 'assistant' } => message.role === 'assistant');

describe('a history rendered for a model', () => {
  it('stays as it is where every vendor would accept it', () => {
    const messages = [{ role: 'system', content: 's' } as const, user('u'), answer('a'), user('b')];
    const rendered = render(messages);
    assert.deepEqual(rendered, messages);
    assert.ok(
      rendered.every((message, at) => message === messages[at]),
      'the same objects',
    );
  });

  describe('ids of calls', () => {
    const foreign = [
      'chatcmpl-tool-0123456789abcdef0123456789abcdef',
      'functions.read_file:0',
      'call_0',
      'tüö',
      '',
    ];
    it('are nine letters and digits, and those of the results, too', () => {
      for (const id of foreign) {
        const [one, other] = idsOf(render([user('u'), calls(call(id)), result(id), user('v')]));
        assert.match(one ?? '', /^[a-zA-Z0-9]{9}$/, id);
        assert.equal(other, one);
      }
      assert.deepEqual(idsOf(render([user('u'), calls(call('aB3dE6gH9')), result('aB3dE6gH9')])), [
        'aB3dE6gH9',
        'aB3dE6gH9',
      ]);
    });

    it('are unique although a model gives the same again and again', () => {
      const round = [calls(call('call_0'), call('call_1')), result('call_0', 'one'), result('call_1', 'two')];
      const rendered = render([user('u'), ...round, ...round, ...round]);
      const ids = assistants(rendered).flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
      assert.equal(new Set(ids).size, 6);
      const answered = rendered.flatMap((message) => (message.role === 'tool' ? message.toolCallId : []));
      assert.deepEqual(answered, ids);
      const own = render([
        user('u'),
        calls(call('aB3dE6gH9')),
        result('aB3dE6gH9'),
        calls(call('aB3dE6gH9')),
        result('aB3dE6gH9'),
      ]);
      assert.equal(new Set(idsOf(own)).size, 2);
    });

    it('keep the beginning as the history grows', () => {
      const messages: Message[] = [user('u')];
      let before = '';
      for (let round = 0; round < 20; round++) {
        messages.push(calls(call(`call_${round % 2}`)), result(`call_${round % 2}`));
        const now = JSON.stringify(render(messages)).slice(0, -1);
        assert.ok(now.startsWith(before));
        before = now;
      }
    });
  });

  it('cleans names of tools that a model made up', () => {
    const made = ['functions.read_file', 'multi_tool_use.parallel', 'ä', 'x'.repeat(70), ''];
    const rendered = render([
      user('u'),
      calls(...made.map((name, at) => call(`c${at}`, { name }))),
      ...made.map((_, at) => result(`c${at}`)),
    ]);
    for (const { name } of assistants(rendered)[0]?.toolCalls ?? [])
      assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/);
    assert.equal(assistants(rendered)[0]?.toolCalls?.[0]?.name, 'functions_read_file');
  });

  describe('calls and results', () => {
    it('stand in pairs: what is missing is said, what is too much is left out', () => {
      const rendered = render([
        user('u'),
        calls(call('a'), call('b')),
        result('b', 'of b'),
        result('b', 'again'),
        result('x', 'of nothing'),
        user('v'),
        result('a', 'too late'),
      ]);
      assert.equal(rolesOf(rendered), 'user assistant tool tool user');
      assert.deepEqual(
        rendered.flatMap((message) => (message.role === 'tool' ? message.content : [])),
        ['The call was stopped before it had a result.', 'of b'],
      );
    });

    it('are words where a request has no tools', () => {
      const rendered = render(
        [user('u'), answer('Looking.', { toolCalls: [call('a')] }), result('a', 'the text'), user('v')],
        {},
        false,
      );
      assert.equal(rolesOf(rendered), 'user assistant user');
      assert.equal(rendered[1]?.content, 'Looking.\n\n[Called read_file with {"path":"a"}]');
      assert.match(
        rendered[2]?.content ?? '',
        /^<result-[0-9a-f]+ tool="read_file">\nthe text\n<\/result-[0-9a-f]+>\n\nv$/,
      );
    });

    it('have some text: a blank result says so', () => {
      const rendered = render([user('u'), calls(call('a')), result('a', ' \n')]);
      assert.equal(rendered[2]?.content, '(no output)');
    });

    it('have a word between results and the user, or before calls, for vendors who want that', () => {
      const messages = [user('u'), calls(call('a')), result('a'), user('and?')];
      assert.equal(rolesOf(render(messages)), 'user assistant tool user');
      const spoken = render(messages, { wordAfterResults: true });
      assert.equal(rolesOf(spoken), 'user assistant tool assistant user');
      assert.ok(spoken[3]?.content);
      assert.equal(assistants(render(messages))[0]?.content, '');
      assert.ok(assistants(render(messages, { wordBeforeCalls: true }))[0]?.content);
    });
  });

  describe('what only one model understands', () => {
    const own = { model: 'own', reasoning: 'Hm.', signedReasoning: [{ text: 't', signature: 's' }] };
    const extra = { extra_content: { google: { thought_signature: 'x' } } };
    const exchange = (model: string) => [
      user('u'),
      answer('', { ...own, model, toolCalls: [call('a', { extra })] }),
      result('a'),
      answer('Done.', { ...own, model }),
      user('v'),
    ];

    it('goes back to that model and to no other', () => {
      const [first] = assistants(render(exchange('own')));
      assert.deepEqual([first?.reasoning, first?.signedReasoning], ['Hm.', own.signedReasoning]);
      assert.deepEqual(first?.toolCalls?.[0]?.extra, extra);
      for (const { reasoning, signedReasoning, toolCalls = [] } of assistants(render(exchange('other')))) {
        assert.deepEqual([reasoning, signedReasoning], [undefined, undefined]);
        assert.ok(toolCalls.every((each) => !each.extra));
      }
    });

    it('is reasoning beside calls unless the model wants more or less', () => {
      const reasoned = (dialect: Partial<Dialect>, model = 'own') =>
        assistants(render(exchange(model), dialect)).map(({ reasoning }) => reasoning);
      assert.deepEqual(reasoned({}), ['Hm.', undefined]);
      assert.deepEqual(reasoned({ reasoning: 'none' }), [undefined, undefined]);
      assert.deepEqual(reasoned({ reasoning: 'all' }), ['Hm.', 'Hm.']);
      assert.deepEqual(reasoned({ reasoning: 'calls' }), ['Hm.', undefined]);
      const [ofCall, ofText] = reasoned({ reasoning: 'all' }, 'other');
      assert.ok(ofCall?.trim() && ofText?.trim());
      const [standIn, none] = reasoned({ reasoning: 'calls' }, 'other');
      assert.ok(standIn?.trim());
      assert.equal(none, undefined);
    });

    it('is a signature that stands for calls of other models, where no own one is', () => {
      const signatures = (toolCalls: ToolCall[], model = 'other') =>
        assistants(
          render([user('u'), answer('', { model, toolCalls }), ...toolCalls.map(({ id }) => result(id))], {
            signatures: true,
          }),
        )[0]?.toolCalls?.map((each) => JSON.stringify(each.extra ?? {}));
      const standIn = '{"extra_content":{"google":{"thought_signature":"skip_thought_signature_validator"}}}';
      assert.deepEqual(signatures([call('a'), call('b')]), [standIn, standIn]);
      assert.deepEqual(signatures([call('a', { extra }), call('b')], 'own'), [JSON.stringify(extra), '{}']);
    });
  });

  describe('the order of roles', () => {
    it('begins with all of the system text, alone', () => {
      const rendered = render([
        user('u'),
        { role: 'system', content: 'one' },
        answer('a'),
        { role: 'system', content: 'two' },
        user('v'),
      ]);
      assert.deepEqual(rendered[0], { role: 'system', content: 'one\n\ntwo' });
      assert.equal(rolesOf(rendered), 'system user assistant user');
      const moved = render([{ role: 'system', content: 's' }, user('u')], { systemRole: false });
      assert.deepEqual(moved, [user('s\n\nu')]);
    });

    it('alternates: messages of one role are joined, with their pictures', () => {
      const images = [{ mimeType: 'image/png', data: 'AA' }];
      const rendered = render([
        { role: 'user', content: 'one', images },
        { role: 'user', content: ' ' },
        { role: 'user', content: 'two', images },
        answer(''),
        answer('a'),
        answer('b'),
        user('three'),
      ]);
      assert.deepEqual(rendered[0], { role: 'user', content: 'one\n\ntwo', images: [...images, ...images] });
      assert.equal(rendered[1]?.content, 'a\n\nb');
      assert.equal(rolesOf(rendered), 'user assistant user');
    });

    it('leaves out answers that say nothing', () => {
      assert.deepEqual(render([user('one'), answer(' \n'), user('two')]), [user('one\n\ntwo')]);
    });

    it('has the user begin and end, and no empty text', () => {
      const rendered = render([answer('a'), user(' '), answer('b')]);
      assert.equal(rolesOf(rendered), 'user assistant user assistant user');
      assert.ok(rendered.every(({ content }) => content.trim()));
      const [picture] = render([
        { role: 'user', content: '', images: [{ mimeType: 'image/png', data: 'AA' }] },
      ]);
      assert.ok(picture?.content.trim());
      assert.equal(
        assistants(render([user('u'), answer(' \n', { toolCalls: [call('a')] }), result('a')]))[0]?.content,
        '',
      );
    });
  });

  describe('what was rendered before', () => {
    const turn = (id: string, said = 'a') => [user(`u${id}`), calls(call(id)), result(id), answer(said)];

    it('comes out the same as if it never had been', () => {
      const growing = [...turn('call_0'), ...turn('call_1'), ...turn('call_0'), user('v')];
      for (const end of [5, 9, 13, 9]) {
        const fresh = JSON.parse(JSON.stringify(growing.slice(0, end))) as Message[];
        assert.deepEqual(render(growing.slice(0, end)), render(fresh));
      }
      const ids = assistants(render(growing)).flatMap(({ toolCalls = [] }) => toolCalls.map(({ id }) => id));
      assert.equal(new Set(ids).size, 3);
    });

    it('is not taken for another model, dialect or stretch', () => {
      const [first, second] = [turn('x'), turn('y')];
      const reasoned = first.map((message) =>
        message.role === 'assistant' ? { ...message, model: 'own', reasoning: 'Hm.' } : message,
      );
      const messages = [...reasoned, ...second, user('v')];
      assert.equal(assistants(render(messages))[0]?.reasoning, 'Hm.');
      assert.equal(assistants(render(messages, { reasoning: 'none' }))[0]?.reasoning, undefined);
      const insteadOf = (...stretch: Message[]) => {
        render(messages);
        return render([...stretch, ...second, user('v')]);
      };
      const shorter = insteadOf(reasoned[0]!, answer('No call.'));
      assert.equal(rolesOf(shorter), 'user assistant user assistant tool assistant user');
      const other = insteadOf(...reasoned.slice(0, 3), answer('Other.'));
      assert.equal(assistants(other)[1]?.content, 'Other.');
      const longer = insteadOf(...reasoned.slice(0, 3), calls(call('z')), result('z'), answer('End.'));
      assert.equal(
        rolesOf(longer),
        'user assistant tool assistant tool assistant user assistant tool assistant user',
      );
      const continued = insteadOf(...reasoned, answer('More.'));
      assert.match(assistants(continued)[1]?.content ?? '', /More/);
    });

    it('has ids of its own where its calls repeat those of another stretch', () => {
      const [one, other] = [turn('same'), turn('same')];
      render([...one, user('v')]);
      render([...other, user('v')]);
      const ids = idsOf(render([...one, ...other, user('v')]));
      assert.equal(new Set(ids).size, 2);
      assert.equal(new Set(idsOf(render([...other, ...one, ...other, user('v')]))).size, 3);
    });
  });

  it('tells in words what a model cannot see', () => {
    const images = [{ mimeType: 'image/png', data: 'AA' }];
    const messages: Message[] = [
      { role: 'user', content: 'one', images },
      answer('a'),
      { role: 'user', content: 'two', images },
    ];
    const seen = (pictures: Dialect['pictures']) =>
      render(messages, { pictures }).map((message) => message.role === 'user' && Boolean(message.images));
    assert.deepEqual(seen('all'), [true, false, true]);
    assert.deepEqual(seen('newest'), [false, false, true]);
    assert.deepEqual(seen('none'), [false, false, false]);
    assert.match(
      render(messages, { pictures: 'none' })[0]?.content ?? '',
      /^one\n\n\[A picture \(image\/png\)/,
    );
  });

  it('is plain as a last resort: calls of others in words, own calls without reasoning', () => {
    const mine = answer('', { model: 'own', reasoning: 'r', toolCalls: [call('b', { extra: { x: 1 } })] });
    const rendered = render([user('u'), calls(call('a')), result('a'), mine, result('b'), user('v')], {
      history: 'plain',
    });
    assert.equal(rolesOf(rendered), 'user assistant user assistant tool user');
    assert.match(rendered[1]?.content ?? '', /Called read_file/);
    assert.equal(assistants(rendered)[1]?.reasoning, undefined);
    assert.equal(assistants(rendered)[1]?.toolCalls?.length, 1);
  });
});
