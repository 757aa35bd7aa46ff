import assert from 'node:assert/strict';
import { eventually, eventuallyEqual } from '../support/eventually.ts';
import { useBrowser } from './support/browserSuite.ts';
import type { PanelPage } from './support/panelPage.ts';
import {
  added,
  answer,
  appEntries,
  failure,
  flowSteps,
  formFields,
  models,
  user,
  withApp,
} from './support/states.ts';

const onePixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

describe('apps in the page', () => {
  const suite = useBrowser();
  let panel: PanelPage;
  beforeEach(async () => {
    panel = await suite.open();
  });
  const text = (name: string) => panel.page.getByRole('textbox', { name, exact: true });
  const form = () => panel.page.getByRole('form', { name: 'Inputs' });

  describe('that are chosen', () => {
    it('are the last group of the picker, each with its kind, and are found by it', async () => {
      await panel.show(withApp());
      await panel.button('Model: Harbour guide').click();
      const groups = panel.page.getByRole('listbox', { name: 'Models' }).getByRole('group');
      await eventuallyEqual(async () => groups.last().getAttribute('aria-label'), 'Apps');
      const option = groups.last().getByRole('option', { name: 'Harbour guide' });
      assert.equal(await option.getAttribute('aria-description'), 'chatflow');
      assert.equal(await option.getAttribute('aria-selected'), 'true');
      const filter = panel.page.getByRole('searchbox', { name: 'Filter models' });
      await filter.fill('chat app');
      await eventuallyEqual(() => panel.page.getByRole('option').count(), 2);
      await filter.press('Enter');
      assert.equal((await panel.posted('selectModel')).modelId, 'app:planner');
    });

    it('can be favourites', async () => {
      await panel.show({ ...withApp(), models: models({ ...withApp().models, favourites: ['app:guide'] }) });
      await panel.button(/^Model: /).click();
      const groups = panel.page.getByRole('listbox', { name: 'Models' }).getByRole('group');
      await groups.first().getByRole('option', { name: 'Harbour guide' }).waitFor();
      assert.equal(await panel.page.getByRole('option', { name: 'Harbour guide' }).count(), 1);
    });

    it('are enough: nobody is asked for a relay', async () => {
      await panel.show({ connection: { state: 'none' }, ...withApp() });
      await panel.messageBox.waitFor();
      assert.equal(await panel.button('Connect Relay…').count(), 0);
    });

    it('have knowledge and tools of their own', async () => {
      await panel.show({
        ...withApp(),
        knowledge: { isConnected: true, chosen: [{ id: 'd', name: 'Harbour' }] },
      });
      for (const name of ['Knowledge', 'Tools']) {
        const button = panel.button(name);
        assert.equal(await button.getAttribute('aria-disabled'), 'true');
        assert.match((await button.getAttribute('aria-description')) ?? '', /Apps use their own/);
        await button.click({ force: true });
      }
      assert.deepEqual(await panel.posts('chooseKnowledge'), []);
      assert.deepEqual(await panel.posts('chooseTools'), []);
      assert.equal(await panel.page.getByRole('list', { name: 'Knowledge bases' }).count(), 0);
    });

    it('greet, and suggest what to ask', async () => {
      await panel.show(withApp({ look: { icon: '🌊' }, description: 'Knows the harbour.' }));
      const greeting = panel.entry('Harbour guide');
      await greeting.getByText('🌊').waitFor();
      await greeting.getByText('Knows the harbour.').waitFor();
      assert.equal(await greeting.locator('strong').innerText(), 'harbour');
      const { app } = withApp({ look: { picture: 'guide.png' } });
      await panel.say({ type: 'appChanged', ...(app && { app }) });
      assert.equal((await panel.posted('loadAppPicture')).file, 'guide.png');
      await panel.say({ type: 'pictureLoaded', picture: { id: 'guide.png', base64: onePixel } });
      await greeting.locator('canvas').waitFor();
      const questions = panel.page.getByRole('group', { name: 'Suggested questions' });
      await questions.getByRole('button', { name: 'Where do visitors berth?' }).click();
      assert.equal((await panel.posted('sendSuggestion')).text, 'Where do visitors berth?');
      await panel.say(added(user('1', 'Where do visitors berth?'), 0));
      await panel.say({ type: 'statusChanged', status: { type: 'connecting' } });
      await eventuallyEqual(() => questions.count(), 0);
    });

    it('say that they are asked about, and why that failed', async () => {
      await panel.show(withApp({ state: 'loading', opening: '', suggestedQuestions: [] }));
      await panel.page.getByText('Loading app info…').waitFor();
      const { app } = withApp({ state: 'failed', opening: '', suggestedQuestions: [], failure });
      await panel.say({ type: 'appChanged', ...(app && { app }) });
      const retry = panel.page.getByRole('alert').getByRole('button', { name: 'Retry' });
      await retry.click();
      await panel.posted('reloadApp');
      const remedy = { type: 'openPlatform' as const, label: 'Open the Platform' };
      const other = { ...failure, remedy, second: failure.remedy };
      const { app: again } = withApp({
        state: 'failed',
        opening: '',
        suggestedQuestions: [],
        failure: other,
      });
      await panel.say({ type: 'appChanged', ...(again && { app: again }) });
      await panel.page.getByRole('button', { name: 'Open the Platform' }).waitFor();
      await retry.click();
      await eventuallyEqual(async () => (await panel.posts('reloadApp')).length, 2);
      assert.deepEqual(await panel.posts('applyRemedy'), []);
    });
  });

  describe('with a form', () => {
    const fresh = formFields.map(({ problem: _problem, ...field }) => field);

    it('have a labelled control of every kind, filled in as it was', async () => {
      await panel.show(withApp({ fields: fresh }));
      await form().waitFor();
      assert.equal(await text('Name of the boat').inputValue(), 'Dione');
      assert.equal(await text('Name of the boat').getAttribute('aria-required'), 'true');
      assert.equal(await text('Draught in metres').inputValue(), '1.8');
      const crew = text('The crew, one in a line');
      assert.equal(await crew.getAttribute('aria-required'), 'false');
      assert.equal(await crew.getAttribute('placeholder'), 'Ada');
      const hint = await crew.getAttribute('aria-describedby');
      assert.equal(await panel.page.locator(`[id="${hint}"]`).innerText(), 'First names are enough');
      assert.equal(await panel.page.getByRole('checkbox', { name: 'Sails at night' }).isChecked(), true);
      const harbour = panel.page.getByRole('combobox', { name: 'Harbour' });
      assert.deepEqual(await harbour.locator('option').allInnerTexts(), [
        '',
        'Søndervig',
        'Altmühle',
        '青い港',
      ]);
      await text('Equipment, as JSON').waitFor();
      await panel.page.getByRole('group', { name: 'Chart' }).getByText('images, documents').waitFor();
    });

    it('are shown again to be edited, until that is cancelled', async () => {
      const fields = fresh.map((field) =>
        field.variable === 'harbour' ? { ...field, value: 'Altmühle' } : field,
      );
      const { app } = withApp({ fields, editsInputs: true });
      await panel.show({ entries: appEntries, ...(app && { app }) });
      await form().getByText('Your next message sends these inputs').waitFor();
      assert.equal(await text('Name of the boat').inputValue(), 'Dione');
      const harbour = panel.page.getByRole('combobox', { name: 'Harbour' });
      assert.equal(await harbour.inputValue(), 'Altmühle');
      await form().getByRole('button', { name: 'Cancel' }).click();
      await panel.posted('cancelInputs');
    });

    it('can be shown again in a conversation that began', async () => {
      const { app } = withApp({ isStarted: true, canEditInputs: true });
      await panel.show({ entries: appEntries, ...(app && { app }) });
      await panel.button('Edit Inputs').click();
      await panel.posted('editInputs');
      await panel.show({ entries: appEntries, ...withApp({ isStarted: true }) });
      assert.equal(await panel.button('Edit Inputs').count(), 0);
    });

    it('are read from their beginning', async () => {
      await panel.show(withApp({ state: 'loading', opening: '', suggestedQuestions: [] }));
      const { app } = withApp({ fields: fresh });
      await panel.say({ type: 'appChanged', ...(app && { app }) });
      await form().waitFor();
      const scroller = panel.page.locator('.scroller');
      await eventually(async () =>
        assert.ok(await scroller.evaluate((element) => element.scrollHeight > element.clientHeight)),
      );
      assert.equal(await scroller.evaluate((element) => element.scrollTop), 0);
      assert.equal(await panel.button('Jump to the End').count(), 0);
    });

    it('are read from their beginning in the middle of a conversation, too', async () => {
      await panel.page.setViewportSize({ width: 400, height: 500 });
      await panel.show({ entries: appEntries });
      const sayApp = (parts: Parameters<typeof withApp>[0]) => {
        const { app } = withApp(parts);
        return panel.say({ type: 'appChanged', ...(app && { app }) });
      };
      await sayApp({ state: 'loading' });
      await sayApp({ fields: fresh });
      await form().waitFor();
      const top = (name: string) => panel.page.locator(name).evaluate((e) => e.getBoundingClientRect().top);
      await eventually(async () => {
        const distance = (await top('.app-start')) - (await top('.scroller'));
        assert.ok(distance >= 0 && distance < 20, String(distance));
      });
      await panel.button('Jump to the End').waitFor();
    });

    it('tell the host what is filled in, with the keyboard alone', async () => {
      await panel.show(withApp({ fields: fresh }));
      await text('Name of the boat').focus();
      await panel.page.keyboard.press('End');
      await panel.page.keyboard.type('!');
      await panel.page.keyboard.press('Tab');
      assert.ok(
        await panel
          .button('Take The crew, one in a line from the Editor')
          .and(panel.page.locator(':focus'))
          .count(),
      );
      await panel.page.keyboard.press('Tab');
      await panel.page.keyboard.type('Me');
      await panel.page.keyboard.press('Tab');
      await panel.page.keyboard.press('Tab');
      await panel.page.keyboard.type('A');
      await panel.page.keyboard.press('Tab');
      await panel.page.keyboard.press('Space');
      const changes = async () => {
        const last = new Map<string, unknown>();
        for (const { variable, edit } of await panel.posts('fillField'))
          if (edit.type === 'value') last.set(variable, edit.value);
        return Object.fromEntries(last);
      };
      await eventuallyEqual(changes, { boat: 'Dione!', crew: 'Me', harbour: 'Altmühle', night: false });
    });

    it('keep what is typed when the host says something else of the form', async () => {
      await panel.show(withApp({ fields: fresh }));
      await text('Name of the boat').fill('Aurora');
      const { app } = withApp({ fields: formFields });
      await panel.say({ type: 'appChanged', ...(app && { app }) });
      await panel.page.getByText('Required', { exact: true }).waitFor();
      assert.equal(await text('Name of the boat').inputValue(), 'Aurora');
    });

    it('say at a field what is wrong with it, and go there', async () => {
      await panel.show(withApp({ fields: fresh }));
      // The form's script loads with the first form; the state it is first drawn with counts as no change.
      await text('Name of the boat').waitFor();
      await panel.messageBox.fill('Plan');
      await panel.messageBox.press('Enter');
      await panel.posted('sendMessage');
      const { app } = withApp({ fields: formFields });
      await panel.say({ type: 'appChanged', ...(app && { app }) }, { type: 'messageHeld' });
      const harbour = panel.page.getByRole('combobox', { name: 'Harbour' });
      await eventuallyEqual(() => harbour.evaluate((element) => element === document.activeElement), true);
      assert.equal(await harbour.getAttribute('aria-invalid'), 'true');
      const described = await harbour.getAttribute('aria-describedby');
      assert.equal(await panel.page.locator(`[id="${described}"]`).innerText(), 'Required');
      assert.equal(await panel.messageBox.inputValue(), 'Plan');
    });

    it('take files and addresses, and let go of them', async () => {
      await panel.show(withApp({ fields: fresh }));
      await panel.button('Choose a File… Chart').click();
      await eventuallyEqual(async () => (await panel.posts('fillField')).at(-1), {
        ...{ type: 'fillField', variable: 'chart', edit: { type: 'chooseFiles' } },
      });
      await text('Address for Chart').fill('https://p.example/chart.png');
      await text('Address for Chart').press('Enter');
      await eventuallyEqual(async () => (await panel.posts('fillField')).at(-1), {
        ...{ type: 'fillField', variable: 'chart' },
        edit: { type: 'address', address: 'https://p.example/chart.png' },
      });
      assert.equal(await text('Address for Chart').inputValue(), '');
      assert.equal(await text('Address for Papers of the boat').count(), 0);
      const files = panel.page.getByRole('list', { name: 'Files of Papers of the boat' });
      assert.equal(await files.getByRole('listitem').count(), 2);
      await files.getByRole('button', { name: 'Remove papers.py' }).click();
      await eventuallyEqual(async () => (await panel.posts('fillField')).at(-1), {
        ...{ type: 'fillField', variable: 'papers', edit: { type: 'removeFile', fileId: 'f0' } },
      });
      assert.deepEqual(await panel.posts('sendMessage'), []);
    });

    it('fold what was filled in to a line once the conversation goes on', async () => {
      await panel.show({ entries: appEntries, ...withApp({ isStarted: true, fields: fresh }) });
      await panel.page.getByText('Inputs: Dione, 1.8').waitFor();
      assert.equal(await form().count(), 0);
      await panel.page.getByText('Inputs: Dione, 1.8').click();
      await panel.page.getByText('Draught: 1.8').waitFor();
    });

    it('are shown again for a new chat', async () => {
      await panel.show(withApp({ fields: fresh }));
      await text('Name of the boat').fill('Aurora');
      await panel.show(withApp({ fields: fresh }));
      await eventuallyEqual(() => text('Name of the boat').inputValue(), 'Dione');
    });
  });

  describe('that answer', () => {
    it('show the step they are at, and all of them to unfold', async () => {
      const entry = answer('2', '', { end: null });
      await panel.show({ entries: [user('1', 'When?'), entry], ...withApp({ isStarted: true }) });
      const run = panel.page.getByRole('group', { name: 'Run' });
      for (const step of flowSteps.slice(0, 2)) await panel.say({ type: 'stepChanged', id: '2', step });
      const third = { ...flowSteps[2], status: 'running' } as (typeof flowSteps)[number];
      await panel.say({ type: 'stepChanged', id: '2', step: third });
      await run.locator('summary').getByText('Search the Harbour handbook').waitFor();
      await run.locator('summary').focus();
      await panel.page.keyboard.press('Enter');
      const steps = run.getByRole('list', { name: 'Steps' }).getByRole('listitem');
      await eventuallyEqual(() => steps.count(), 3);
      await steps.nth(1).getByText('retries: 1 · 800 ms').waitFor();
      await steps.nth(1).getByText('the gauge does not answer').waitFor();
      await steps.nth(2).getByText('running').waitFor();
      await panel.say({
        type: 'stepChanged',
        id: '2',
        step: { ...third, status: 'failed', error: 'Gone.', depth: 1, detail: '<b>tide_table</b>' },
      });
      await eventuallyEqual(() => steps.count(), 3);
      await steps.nth(2).getByText('Gone.').waitFor();
      await steps.nth(2).getByText('<b>tide_table</b>').waitFor();
      // The agent may recover as long as the run goes on.
      assert.equal(await run.locator('summary').getByText('Search the Harbour handbook').count(), 0);
      await panel.say({ type: 'entryEnded', id: '2', end: { failure } });
      await run.locator('summary').getByText('failed').waitFor();
    });

    it('say what their run waits for, and have it filled in or left', async () => {
      const [first, second] = flowSteps;
      const entry = {
        ...answer('2', 'I have asked.', { end: {} }),
        steps: [first, { ...second, status: 'running' }] as typeof flowSteps,
        app: {
          files: [],
          questions: [],
          canRate: true,
          awaits: { titles: ['Approval'], place: 'here' as const },
        },
      };
      await panel.show({ entries: [user('1', 'A berth?'), entry], ...withApp({ isStarted: true }) });
      const waiting = panel.page.getByRole('group', { name: 'Waiting for human input' });
      await waiting.getByText('Approval').waitFor();
      await panel.page.getByRole('group', { name: 'Run' }).locator('summary').getByText('waiting').waitFor();
      await waiting.getByRole('button', { name: 'Fill In Form…' }).click();
      assert.equal((await panel.posted('provideInput')).id, '2');
      const app = { ...entry.app, awaits: { titles: [], place: 'platform' as const } };
      await panel.say({ type: 'answerAppChanged', id: '2', app });
      await waiting.getByRole('button', { name: 'Check Status' }).waitFor();
      await waiting.getByRole('button', { name: 'Stop Waiting' }).click();
      assert.equal((await panel.posted('stopWaiting')).id, '2');
      await panel.say({ type: 'answerContinued', id: '2' });
      await eventuallyEqual(() => waiting.count(), 0);
    });

    it('name sources without telling cited ones apart', async () => {
      await panel.show({ entries: appEntries, ...withApp({ isStarted: true }) });
      const sources = panel.page.getByRole('list', { name: 'Sources' });
      await sources.getByText('Harbour handbook · score 0.93', { exact: true }).waitFor();
      await sources.getByRole('button', { name: /^1 docs/ }).click();
      assert.deepEqual(await panel.posted('openSource'), { type: 'openSource', id: '2', n: 1 });
    });

    it('give files that open as links do', async () => {
      await panel.show({ entries: appEntries, ...withApp({ isStarted: true }) });
      await panel.page
        .getByRole('list', { name: 'Files' })
        .getByRole('button', { name: 'tides.png' })
        .click();
      assert.equal((await panel.posted('openLink')).href, 'https://platform.example.com/files/tides.png');
    });

    it('are saved as annotations if they are good, and told where one answered', async () => {
      await panel.show({ entries: appEntries, ...withApp({ isStarted: true }) });
      await panel.button('Save as Annotation…').click();
      assert.deepEqual(await panel.posted('saveAnnotation'), { type: 'saveAnnotation', id: '2' });
      const annotated = appEntries.map((entry) =>
        entry.type === 'assistant' && entry.app
          ? { ...entry, app: { ...entry.app, annotation: 'used' as const } }
          : entry,
      );
      await panel.show({ entries: annotated, ...withApp({ isStarted: true }) });
      await panel.page.getByText('Answered by an annotation.').waitFor();
      assert.equal(await panel.button('Save as Annotation…').count(), 0);
    });

    it('are rated, the other way, and not at all', async () => {
      await panel.show({ entries: appEntries, ...withApp({ isStarted: true }) });
      const good = panel.button('Good answer');
      await eventuallyEqual(() => good.getAttribute('aria-pressed'), 'true');
      assert.equal(await panel.button('Bad answer').getAttribute('aria-pressed'), 'false');
      await panel.button('Bad answer').click();
      assert.deepEqual(await panel.posted('rateAnswer'), {
        type: 'rateAnswer',
        id: '2',
        rating: 'dislike',
      });
      await good.focus();
      await panel.page.keyboard.press('Enter');
      await eventually(async () =>
        assert.deepEqual((await panel.posts('rateAnswer')).at(-1), { type: 'rateAnswer', id: '2' }),
      );
      // The button shows pressed only once the platform has the rating.
      assert.equal(await good.getAttribute('aria-pressed'), 'true');
      const app = { files: [], questions: [], canRate: true, rating: 'dislike' as const };
      await panel.say({ type: 'answerAppChanged', id: '2', app });
      await eventuallyEqual(() => good.getAttribute('aria-pressed'), 'false');
    });

    it('suggest how to go on, under the newest answer alone', async () => {
      const [, asked, answered] = appEntries;
      assert.ok(asked && answered);
      await panel.show({ entries: [asked, answered], ...withApp({ isStarted: true }) });
      const questions = panel.page.getByRole('group', { name: 'Suggested questions' });
      await questions.getByRole('button', { name: 'How large should the margin be?' }).click();
      assert.equal((await panel.posted('sendSuggestion')).text, 'How large should the margin be?');
      await panel.say(
        added(user('3', 'How large should the margin be?'), 2),
        added(answer('4', '', { end: null }), 3),
      );
      await eventuallyEqual(() => questions.count(), 0);
    });

    it('say which file is being sent and which step runs', async () => {
      const status = { type: 'uploading' as const, name: 'chart.png' };
      await panel.show({ entries: [user('1', 'Go')], status, ...withApp({ isStarted: true }) });
      await panel.status.getByText('Uploading chart.png…').waitFor();
      await panel.say({ type: 'statusChanged', status: { type: 'runningStep', title: 'Search' } });
      await panel.status.getByText('Running: Search').waitFor();
    });
  });
});
