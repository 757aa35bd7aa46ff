import { ok } from '../platformRoute.ts';
import type { AppContext } from './appContext.ts';
import type { UploadLimits } from './appsOptions.ts';
import { type AppRoute, appRoute, appUnavailable } from './appRoute.ts';
import { previewUrl } from './generatedFiles.ts';
import { toUserInputForm } from './inputForm.ts';
import type { ScriptedApp } from './scriptedApp.ts';

export function describeRoutes({ version, limits }: AppContext): AppRoute[] {
  return [
    appRoute('GET /v1/info', ({ app: { name, describe, tags = [], mode } }) => {
      // Old servers don't report the kind of app.
      const newer = version.isAtLeast('1.4') ? { mode, author_name: 'Harbour office' } : {};
      return ok({ name, description: describe, tags, ...newer });
    }),
    appRoute('GET /v1/parameters', ({ app }) => {
      if (app.isBroken) throw appUnavailable();
      return ok(parametersOf(app, limits));
    }),
    appRoute('GET /v1/site since 1.4', ({ app: { name, describe, icon }, request }) =>
      ok({
        title: name,
        chat_color_theme: null,
        chat_color_theme_inverted: false,
        ...iconFields(icon, `http://${request.headers.host ?? 'sandbox'}`),
        description: describe,
        copyright: null,
        privacy_policy: null,
        custom_disclaimer: '',
        default_language: 'en-US',
        show_workflow_steps: true,
        use_icon_as_answer_icon: false,
      }),
    ),
    { method: 'GET', path: '/v1/meta', answer: ({ app }) => ok({ tool_icons: app.toolIcons ?? {} }) },
  ];
}

export function parametersOf(
  {
    mode,
    form = [],
    opening,
    suggestedQuestions,
    followUps,
    files,
    hasAudio = false,
    repliesByAnnotation = false,
  }: ScriptedApp,
  limits: UploadLimits,
): object {
  const methods = ['local_file', 'remote_url'];
  return {
    opening_statement: opening ?? '',
    suggested_questions: suggestedQuestions ?? [],
    suggested_questions_after_answer: { enabled: followUps !== undefined },
    speech_to_text: { enabled: hasAudio },
    text_to_speech: { enabled: hasAudio, voice: '', language: '', autoPlay: 'disabled' },
    retriever_resource: { enabled: mode === 'advanced-chat' || mode === 'agent-chat' },
    annotation_reply: { enabled: repliesByAnnotation },
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

/** A picture is a file of the platform, whose address is signed anew each time. */
function iconFields(icon: ScriptedApp['icon'], origin: string): object {
  const none = { icon_type: null, icon: null, icon_background: null, icon_url: null };
  if (icon === undefined) return none;
  if (typeof icon === 'string') return { ...none, icon_type: 'emoji', icon, icon_background: '#FFEAD5' };
  const { pictureId } = icon;
  return { ...none, icon_type: 'image', icon: pictureId, icon_url: previewUrl(origin, pictureId) };
}
