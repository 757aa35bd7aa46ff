import { refusal } from '../platformErrors.ts';
import { ok } from '../platformRoute.ts';
import type { Reply } from '../../http/reply.ts';
import { isObject } from '../apps/inputForm.ts';
import { uuidOf } from '../apps/workflowId.ts';
import {
  invalidField,
  type OpenapiCall,
  type OpenapiContext,
  type OpenapiRoute,
  openapiRoute,
  openRoute,
} from './openapiRoute.ts';
import { account, knownClient, type Session } from './signIns.ts';

/** Version, sign-in by code, and account. Recorded, except where noted. */
export function signInRoutes(context: OpenapiContext): OpenapiRoute[] {
  const { signIns, flows } = context;
  return [
    openRoute('GET /_version', () => ok({ version: flows.version, edition: 'COMMUNITY' })),
    openRoute('GET /_health', () => ok({ ok: true })),
    openRoute('POST /oauth/device/code', ({ request }) => {
      const { client_id: client, device_label: label } = fieldsOf(request.json);
      if (typeof label !== 'string') throw missingField('DeviceCodeRequest', 'device_label');
      if (client !== knownClient) return deviceError('unsupported_client');
      const code = signIns.start(client, label);
      return ok({
        device_code: code.deviceCode,
        user_code: code.userCode,
        verification_uri: `http://${request.headers.host ?? 'sandbox'}/device`,
        expires_in: signIns.limits.codeSeconds,
        interval: signIns.limits.pollSeconds,
      });
    }),
    openRoute('POST /oauth/device/token', ({ request }) => {
      const { device_code: code, client_id: client } = fieldsOf(request.json);
      const outcome = signIns.poll(String(code), String(client));
      return typeof outcome === 'string' ? deviceError(outcome) : ok(whoIs(outcome));
    }),
    openRoute('GET /oauth/device/lookup', ({ request }) => {
      const code = signIns.find(request.query.get('user_code') ?? '');
      if (!code) return ok({ valid: false, expires_in_remaining: 0, client_id: null });
      return ok({ valid: true, expires_in_remaining: signIns.limits.codeSeconds, client_id: code.client });
    }),
    openapiRoute('GET /account', () =>
      ok({
        ...{ subject_type: 'account', subject_email: account.email, subject_issuer: null, account },
        ...workspacesOf(),
      }),
    ),
    openapiRoute('GET /account/sessions', listSessions),
    openapiRoute('DELETE /account/sessions/self', ({ session }) => {
      signIns.revoke(session);
      return ok({ status: 'revoked' });
    }),
    openapiRoute('DELETE /account/sessions/:word', ({ ids }) => {
      const session = signIns.sessions.find(({ id }) => id === ids[0]);
      if (!session) throw refusal(404, 'not_found', 'session not found');
      signIns.revoke(session);
      return ok({ status: 'revoked' });
    }),
    openapiRoute('GET /workspaces', () => ok({ workspaces: flows.workspaces.map(workspaceView) })),
    openapiRoute('GET /workspaces/:word', ({ ids }) =>
      ok({ ...workspaceView(flows.workspace(ids[0])), created_at: '2026-11-23T00:14:27' }),
    ),
    openapiRoute('GET /workspaces/:word/members', listMembers),
  ];

  function whoIs(session: Session): object {
    return {
      token: session.token,
      expires_at: new Date(session.expiresAt).toISOString().replace('Z', '000+00:00'),
      ...{ subject_type: 'account', account, ...workspacesOf(), token_id: session.id },
    };
  }

  function workspacesOf(): object {
    return {
      workspaces: flows.workspaces.map(({ id, name, role }) => ({ id, name, role })),
      default_workspace_id: flows.workspaces[0]?.id,
    };
  }

  function workspaceView({ id, name, role }: (typeof flows.workspaces)[number]): object {
    return { id, name, role, status: 'normal', current: id === flows.workspaces[0]?.id };
  }

  /** Read from the source of 1.16.1; not recorded. */
  function listMembers({ ids, request: { query } }: OpenapiCall): Reply {
    const { role, members } = flows.workspace(ids[0]);
    const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 20)];
    const rest = { status: 'active', avatar: null };
    const others = members.map((name) => ({
      ...{ id: uuidOf(`member ${name}`), name, email: `${name.toLowerCase()}@example.com`, role: 'normal' },
      ...rest,
    }));
    const all = [{ ...account, role, ...rest }, ...others];
    const data = all.slice((page - 1) * limit, page * limit);
    return ok({ page, limit, total: all.length, has_more: all.length > page * limit, data });
  }

  function listSessions({ request }: OpenapiCall): Reply {
    const limit = Number(request.query.get('limit') ?? 100);
    if (limit > 200) {
      throw invalidField('less_than_equal', ['limit'], 'Input should be less than or equal to 200');
    }
    const data = signIns.sessions.map(({ id, client, label, createdAt, expiresAt }) => ({
      ...{ id, prefix: 'dfoa_', client_id: client, device_label: label },
      created_at: new Date(createdAt).toISOString(),
      last_used_at: null,
      expires_at: new Date(expiresAt).toISOString(),
    }));
    return ok({ page: 1, limit, total: data.length, has_more: false, data });
  }
}

/** Errors of the device flow have no code, only a word. */
function deviceError(error: string): Reply {
  return { status: 400, body: { error } };
}

export function fieldsOf(json: unknown): Record<string, unknown> {
  return isObject(json) ? json : {};
}

function missingField(model: string, field: string) {
  return refusal(
    400,
    'bad_request',
    `1 validation error for ${model}\n${field}\n  Field required [type=missing, input_value={}, input_type=dict]\n` +
      '    For further information visit https://errors.pydantic.dev/2.12/v/missing',
  );
}
