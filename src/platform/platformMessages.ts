import * as l10n from '@vscode/l10n';
import { withSignInHint } from '../net/captivePortal.ts';
import type { ErrorCode } from '../base/errors/errors.ts';
import { formatDuration } from '../base/text/formatTime.ts';
import type { PlatformService, PlatformWireError, Refusal } from './platformRefusal.ts';

export interface MessageDetails {
  address: string;
  service: PlatformService;
  key: string;
  retryAfterMs?: number | undefined;
}

export function messageFor(code: ErrorCode, about: MessageDetails): string {
  switch (code) {
    case 'wrong-address':
      return withSignInHint(
        l10n.t("No application platform answers at {0}. Check the platform's base address.", about.address),
        about.address,
      );
    case 'key':
      return keyMessage(about);
    case 'balance':
      return l10n.t(
        "The quota of the platform's model provider is used up. Top it up, or set up another provider on the platform.",
      );
    case 'not-permitted':
      return l10n.t(
        "The platform doesn't allow this with your key. The plan's limits or the workspace's state may exclude it.",
      );
    case 'too-large':
      return l10n.t('The file is larger than the platform accepts. Upload a smaller one, or a part of it.');
    case 'rate-limit':
      return about.retryAfterMs === undefined
        ? l10n.t('Rate limit of the platform reached. Wait a moment, then try again.')
        : l10n.t(
            'Rate limit of the platform reached. Try again in {0}.',
            formatDuration(about.retryAfterMs, 'about'),
          );
    case 'request':
      return l10n.t("The platform rejected the request. See the server's message.");
    default:
      return l10n.t('The platform is temporarily unavailable. Try again in a moment.');
  }
}

/** The wrong kind of key is refused in the same words as an invalid one. */
function keyMessage({ service, key }: MessageDetails): string {
  if (service === 'account') return signedOutMessage();
  if (service === 'knowledge') {
    return key.startsWith('app-')
      ? l10n.t(
          'This is an app key. Knowledge bases have their own key: see the API access of the knowledge bases on the platform.',
        )
      : l10n.t(
          'The platform rejected the knowledge base key. It may be mistyped or deleted. Copy one from the API access of the knowledge bases on the platform.',
        );
  }
  return key.startsWith('dataset-')
    ? l10n.t('This is a knowledge base key. Each app has its own key: see its API access on the platform.')
    : l10n.t(
        "The platform rejected the app's key. It may be mistyped or deleted. Copy one from the app's API access on the platform.",
      );
}

export function signedOutMessage(): string {
  return l10n.t('Your sign-in to the platform has expired or was revoked. Sign in again.');
}

export function cutOffMessage(): string {
  return l10n.t("The server's answer was cut off. Try again.");
}

export function missingMessage(): string {
  return l10n.t('Not supported by this platform version. Everything else keeps working.');
}

export function notFoundMessage(): string {
  return l10n.t('Not found on the platform. It may have been deleted or replaced. Refresh and try again.');
}

export function conversationGoneMessage(): string {
  return l10n.t(
    'The platform no longer has this conversation. It was deleted there, or belongs to another user. Start a new one.',
  );
}

/** A refusal with a known message; the first match counts. Source: platform-api.md 1, 2 and 7. */
export interface KnownRefusal {
  matches(error: PlatformWireError, refusal: Refusal): boolean;
  code: ErrorCode;
  message?: (error: PlatformWireError) => string | undefined;
}

/** The platform's label of the model's provider, before the provider's own words or nothing. Recorded on 1.16.1. */
const modelFailure = /^\[[^\]\n]{1,80}\] \S/;
const modelFailureWithoutReason = /^\[[^\]\n]{1,80}\] Error:$/;

export function modelFailedMessage(words: string, model?: string, base?: string): string | undefined {
  if (!modelFailure.test(words)) return undefined;
  const failed =
    model !== undefined && base !== undefined
      ? l10n.t('The embedding model "{0}" of the knowledge base "{1}" failed.', model, base)
      : l10n.t("The knowledge base's embedding model failed.");
  const remedy = modelFailureWithoutReason.test(words)
    ? l10n.t("The platform's plugin service may be down; contact the platform's administrator.")
    : isLimit(words)
      ? l10n.t("Its provider's rate limit is reached. Wait a moment, then try again.")
      : l10n.t("Check the model's key and settings on the platform.");
  return `${failed} ${remedy}`;
}

/** A search of an external knowledge base, without and with settings. Recorded on 1.9.2 and 1.16.1. */
export const externalSearch = /^'reranking_enable'$|relation "embedding_vector_index_/i;

/** True for the words of a 403 that are none of the known ones. Source: platform-api.md 1; the words of a key's scope are documented nowhere. */
export function isScopeRefusal(words: string): boolean {
  return !apiAccessOff.test(words) && !noPermission.test(words) && !ofWorkspace.test(words);
}

const noPermission = /\bpermission/i;
const ofWorkspace = /\bworkspace|\bsubscription|\bplan\b|\blimit|\bquota/i;

export const apiAccessOff = /^Dataset api access/i;
/** The field in which 1.14 violates its own schema. Source: platform-api.md, last section. */
export const tagFault = /(^|\.)binding_count$/;

export const knownRefusals: readonly KnownRefusal[] = [
  {
    matches: ({ message }) => /Request to Plugin Daemon Service failed/i.test(message),
    code: 'transient',
    message: () =>
      l10n.t(
        "The platform's plugin service is down, so it can't reach any model. Contact the platform's administrator, then try again.",
      ),
  },
  {
    matches: ({ message }, { service }) => service === 'knowledge' && externalSearch.test(message),
    code: 'request',
    message: () =>
      l10n.t(
        'The platform has no index to search for this knowledge base. If it is external, search it in an app; otherwise, index its documents again.',
      ),
  },
  {
    matches: (error, refusal) => isModelFailure(error, refusal) && isLimit(error.message),
    code: 'rate-limit',
    message: ({ message }) => modelFailedMessage(message),
  },
  {
    matches: isModelFailure,
    code: 'app-unavailable',
    message: ({ message }) => modelFailedMessage(message),
  },
  {
    // create-by-file reports all three with an empty message.
    matches: ({ code, message }, { status, isUpload }) =>
      status === 400 && isUpload === true && code === 'invalid_param' && message === '',
    code: 'request',
    message: () =>
      l10n.t(
        'The platform rejected the file without a reason. It may not support this file type, the file may be too large (the usual limit is 15 MB), or its name may contain a slash.',
      ),
  },
  {
    matches: withCode('file_too_large', 'audio_too_large'),
    code: 'too-large',
  },
  {
    matches: withCode('unsupported_file_type', 'unsupported_audio_type'),
    code: 'request',
    message: () => l10n.t("The platform doesn't support this file type."),
  },
  {
    matches: withCode('dataset_name_duplicate'),
    code: 'request',
    message: () => l10n.t('A knowledge base with this name already exists. Choose another name.'),
  },
  {
    matches: withCode('dataset_in_use'),
    code: 'request',
    message: () => l10n.t('An app uses this knowledge base. Remove it from the app first.'),
  },
  {
    matches: withCode('dataset_not_initialized'),
    code: 'request',
    message: () => l10n.t("This knowledge base has no indexed documents yet, so it can't be searched."),
  },
  {
    matches: ({ field }, { status }) => status === 400 && tagFault.test(field),
    code: 'request',
    message: () =>
      l10n.t(
        "This version of the platform (1.14) can't return tags, a known issue. Manage them on the platform.",
      ),
  },
  {
    matches: withCode('document_indexing'),
    code: 'request',
    message: () => l10n.t('The platform is still indexing this document. Try again when it is done.'),
  },
  {
    matches: withCode('archived_document_immutable'),
    code: 'request',
    message: () => l10n.t("The document is archived and can't be changed. Unarchive it first."),
  },
  {
    matches: ({ message }, { status }) => status === 403 && apiAccessOff.test(message),
    code: 'not-permitted',
    message: () => l10n.t('API access to this knowledge base is off. Enable it on the platform.'),
  },
  {
    matches: ({ message }, { status, service }) =>
      service === 'knowledge' && status === 403 && noPermission.test(message),
    code: 'not-permitted',
    message: () =>
      l10n.t(
        "The platform doesn't permit this here. Ask the knowledge base's owner to share it with the workspace.",
      ),
  },
  {
    matches: ({ code, message }, { status, service }) =>
      service === 'knowledge' && status === 403 && code === 'forbidden' && isScopeRefusal(message),
    code: 'not-permitted',
    message: () =>
      l10n.t(
        'The platform refused this key here: it was probably made for other knowledge bases. Connect with a key for this one, or for all.',
      ),
  },
  {
    matches: ({ message }, { status, service }) =>
      service === 'app' && status === 400 && refusedInputs.test(message),
    code: 'inputs',
    message: inputsRefusedMessage,
  },
  {
    matches: ({ message }, { status, service }) =>
      service !== 'knowledge' && status === 404 && /^Conversation Not Exists/i.test(message),
    code: 'conversation-over',
    message: conversationGoneMessage,
  },
  {
    matches: ({ message }, { service, status }) =>
      service === 'account' && status === 403 && message === 'service_api_disabled',
    code: 'app-unavailable',
    message: () => l10n.t("The app's API access is off. Enable it on the platform, then try again."),
  },
  {
    matches: ({ message }, { service, status }) =>
      service === 'account' && status === 403 && /workspace role/i.test(message),
    code: 'not-permitted',
    message: () =>
      l10n.t(
        'Your role in this workspace of the platform does not allow this. Ask its owner for the role Editor.',
      ),
  },
  {
    matches: ({ message }, { service }) => service === 'account' && message === 'mode_not_runnable',
    code: 'app-unavailable',
    message: () => l10n.t("Apps of this type can't be run by signing in. Add the app with its own key."),
  },
  {
    matches: ({ message }, { status }) =>
      (status === 404 && /^Dataset not found/i.test(message)) ||
      (status === 400 && /^Dataset (does|is) not exist/i.test(message)),
    code: 'request',
    message: () => l10n.t('This knowledge base no longer exists on the platform. Refresh the list.'),
  },
  {
    matches: (_error, { status }) => status === 404,
    code: 'request',
    message: notFoundMessage,
  },
  {
    matches: (error, { service }) => service !== 'knowledge' && lacksModel(error),
    code: 'app-unavailable',
    message: () =>
      l10n.t(
        'No model is set up for this app. On the platform, add the model provider it uses, then choose a model in the app.',
      ),
  },
  {
    matches: lacksModel,
    code: 'app-unavailable',
    message: () =>
      l10n.t(
        'The platform has no model set up for this. Add a model provider and choose its default models on the platform; an economical knowledge base needs none.',
      ),
  },
  {
    matches: withCode('provider_quota_exceeded'),
    code: 'balance',
  },
  {
    matches: withCode('model_currently_not_support'),
    code: 'app-unavailable',
    message: () =>
      l10n.t('The selected model is temporarily unavailable on the platform. Choose another one there.'),
  },
  {
    matches: withCode('completion_request_error'),
    code: 'app-unavailable',
    message: () =>
      l10n.t(
        "The platform's request to its model failed. Check the model's settings and its provider's credit on the platform.",
      ),
  },
  {
    matches: (error, { status, service }) =>
      withCode('app_unavailable', 'agent_not_published')(error) ||
      (service === 'app' && status === 400 && /not published|unpublished/i.test(error.message)),
    code: 'app-unavailable',
    message: () =>
      l10n.t(
        'The app is not ready for use: it may be unpublished or lack a setting. Publish it on the platform, then try again.',
      ),
  },
  {
    matches: withCode('not_chat_app', 'not_completion_app', 'not_workflow_app'),
    code: 'app-unavailable',
    message: () => l10n.t('The key belongs to a different type of app. Add the app again.'),
  },
  {
    matches: ({ message }, { status }) => status === 403 && /^The app's API service/i.test(message),
    code: 'app-unavailable',
    message: () => l10n.t("The app's API access is off. Enable it on the platform, then try again."),
  },
  {
    matches: ({ message }, { status }) => status === 403 && /^The app( no longer|'s status)/i.test(message),
    code: 'app-unavailable',
    message: () => l10n.t('The app was deleted or disabled on the platform. Add another app.'),
  },
  {
    matches: withCode('pipeline_run_error'),
    code: 'request',
    message: () => l10n.t("The pipeline couldn't be run. Check its settings on the platform."),
  },
  {
    matches: withCode('human_input_form_expired'),
    code: 'request',
    message: () => l10n.t('This form has expired and can no longer be submitted.'),
  },
  {
    matches: withCode('human_input_form_submitted'),
    code: 'request',
    message: () => l10n.t('This form was already submitted.'),
  },
  {
    matches: withCode('invalid_form_data'),
    code: 'request',
    message: () => l10n.t("The platform rejected the form's values. Check them, then submit it again."),
  },
  {
    matches: withCode('conversation_completed'),
    code: 'conversation-over',
    message: () => l10n.t('The platform has closed this conversation. Start a new one.'),
  },
];

/** Such as "kind in input form must be one of the following: ['a', 'b']" (recorded on 1.16.1). */
export const refusedInputs = /\bin input form\b/;

export function inputsRefusedMessage(): string {
  return l10n.t("The app refused its form's inputs. Correct them, then try again.");
}

function withCode(...codes: string[]): (error: PlatformWireError) => boolean {
  return ({ code }) => codes.includes(code);
}

function isModelFailure({ code, message }: PlatformWireError, { status, service }: Refusal): boolean {
  return service === 'knowledge' && status === 400 && code === 'invalid_param' && modelFailure.test(message);
}

function isLimit(message: string): boolean {
  return /rate.?limit|too many requests/i.test(message);
}

/** 1.14 changed the words; without default models they name what is missing. */
function lacksModel(error: PlatformWireError): boolean {
  return (
    withCode('provider_not_initialize')(error) ||
    /^Provider \S+ does not exist|\bdefault (\S+ )?model\b/i.test(error.message)
  );
}
