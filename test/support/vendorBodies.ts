import { checkRequest } from '../servers/relay/checkRequest.ts';
import { checkMessagesRequest } from '../servers/relay/messagesRequest.ts';
import type { SentBody, VendorContext } from '../servers/vendors/vendorBody.ts';
import { vendorChecks, type VendorKind } from '../servers/vendors/vendorKinds.ts';
import * as z from 'zod';

export { skipsSignature, thoughtSignature } from '../servers/vendors/gemini.ts';
export { blindKinds, type VendorKind, vendorKinds } from '../servers/vendors/vendorKinds.ts';

const errorSchema = z.object({ error: z.object({ message: z.string() }) });

/** Undefined if vendor and relay accept the body. Bodies of the responses protocol are not checked here. */
export function refusalOf(
  kind: VendorKind,
  body: SentBody,
  protocol: VendorContext['protocol'] = 'chat-completions',
): string | undefined {
  const refusal = vendorChecks[kind](body, { protocol }) ?? generalRefusal(body, protocol);
  return refusal && errorSchema.parse(refusal.body).error.message;
}

function generalRefusal(body: SentBody, protocol: VendorContext['protocol']) {
  if (protocol === 'responses') return undefined;
  const checked = protocol === 'messages' ? checkMessagesRequest(body) : checkRequest(body);
  return 'refusal' in checked ? checked.refusal : undefined;
}
