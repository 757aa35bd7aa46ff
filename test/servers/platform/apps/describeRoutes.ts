import { ok } from '../platformRoute.ts';
import type { AppContext } from './appContext.ts';
import { type AppRoute, appUnavailable } from './appRoute.ts';
import { toUserInputForm } from './inputForm.ts';
import type { ScriptedApp } from './scriptedApp.ts';

/** What is behind an app key. */
export function describeRoutes({ version, limits }: AppContext): AppRoute[] {
  return [
    {
      method: 'GET',
      path: '/v1/info',
      answer({ app: { name, describe, tags = [], mode } }) {
        // Old servers do not say what kind of app it is.
        const newer = version.isAtLeast('1.4') ? { mode, author_name: 'Harbour office' } : {};
        return ok({ name, description: describe, tags, ...newer });
      },
    },
    {
      method: 'GET',
      path: '/v1/parameters',
      answer({ app }) {
        if (app.isBroken) throw appUnavailable();
        return ok(parametersOf(app));
      },
    },
    { method: 'GET', path: '/v1/meta', answer: ({ app }) => ok({ tool_icons: app.toolIcons ?? {} }) },
    {
      method: 'GET',
      path: '/v1/site',
      since: '1.4',
      answer: ({ app }) =>
        ok({
          title: app.name,
          chat_color_theme: null,
          chat_color_theme_inverted: false,
          icon_type: 'emoji',
          icon: '⚓',
          icon_background: '#D5F5F6',
          icon_url: null,
          description: app.describe,
          copyright: null,
          privacy_policy: null,
          custom_disclaimer: '',
          default_language: 'en-US',
          show_workflow_steps: true,
          use_icon_as_answer_icon: false,
        }),
    },
  ];

  function parametersOf({
    mode,
    form = [],
    opening,
    suggestedQuestions,
    followUps,
    files,
  }: ScriptedApp): object {
    const methods = ['local_file', 'remote_url'];
    return {
      opening_statement: opening ?? '',
      suggested_questions: suggestedQuestions ?? [],
      suggested_questions_after_answer: { enabled: followUps !== undefined },
      speech_to_text: { enabled: false },
      text_to_speech: { enabled: false, voice: '', language: '', autoPlay: 'disabled' },
      retriever_resource: { enabled: mode === 'advanced-chat' || mode === 'agent-chat' },
      annotation_reply: { enabled: false },
      more_like_this: { enabled: false },
      sensitive_word_avoidance: { enabled: false },
      user_input_form: toUserInputForm(form),
      file_upload: {
        enabled: files !== undefined,
        image: {
          enabled: files?.types.includes('image') ?? false,
          number_limits: files?.maxFiles ?? 3,
          detail: 'high',
          transfer_methods: methods,
        },
        allowed_file_types: files?.types ?? [],
        allowed_file_extensions: files?.extensions ?? [],
        allowed_file_upload_methods: methods,
        number_limits: files?.maxFiles ?? 3,
      },
      system_parameters: {
        image_file_size_limit: limits.image,
        video_file_size_limit: limits.video,
        audio_file_size_limit: limits.audio,
        file_size_limit: limits.document,
        workflow_file_upload_limit: 10,
      },
    };
  }
}
