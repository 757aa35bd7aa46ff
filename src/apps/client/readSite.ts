import * as z from 'zod/mini';
import { asObject } from '../../base/json.ts';
import { type AppSite, colorPattern } from '../app.ts';
import { text } from './appWire.ts';

const siteSchema = z.object({
  title: text,
  icon_type: text,
  icon: text,
  icon_background: text,
  icon_url: text,
  description: text,
  default_language: text,
  copyright: text,
  privacy_policy: text,
  custom_disclaimer: text,
});

/** `GET /site`, since 1.4; undefined if it is none. Source: docs/platform-api.md 3. */
export function readSite(json: unknown): AppSite | undefined {
  const body = asObject(json);
  if (!body || !('title' in body)) return undefined;
  const wire = siteSchema.parse(body);
  const isEmoji = wire.icon_type !== 'image' && wire.icon !== undefined && emoji.test(wire.icon);
  return {
    title: wire.title ?? '',
    description: wire.description ?? '',
    ...(isEmoji && { icon: wire.icon }),
    ...(isEmoji && colorPattern.test(wire.icon_background ?? '') && { iconBackground: wire.icon_background }),
    ...(wire.icon_type === 'image' &&
      wire.icon !== undefined &&
      wire.icon_url !== undefined && { picture: { id: wire.icon, address: wire.icon_url } }),
    ...(wire.default_language !== undefined && { language: wire.default_language }),
    ...(wire.copyright !== undefined && { copyright: wire.copyright }),
    ...(wire.privacy_policy !== undefined && { privacyPolicy: wire.privacy_policy }),
    ...(wire.custom_disclaimer !== undefined && { disclaimer: wire.custom_disclaimer }),
  };
}

const emoji = /^\p{RGI_Emoji}$/v;
