import { isCancelled } from '../base/errors.ts';
import type { AppInfo, AppLook, AppSite } from './app.ts';
import type { AppPictures } from './appPictures.ts';
import type { AppClient } from './client/appClient.ts';

/** What an app is, and how the platform's own pages present it. */
export interface DescribedApp {
  info: AppInfo;
  /** Absent where the platform does not tell. */
  site?: AppSite | undefined;
}

/**
 * Adds what the app's site says beside: many platforms have none for it, and nothing else depends on it, so what goes
 * wrong with it is not told.
 * @param known how it looks so far: a picture that is there already is not loaded again
 */
export async function describeApp(
  client: Pick<AppClient, 'site' | 'picture'>,
  info: AppInfo,
  pictures: AppPictures,
  known: AppLook | undefined,
  signal: AbortSignal,
): Promise<DescribedApp> {
  const site = await siteOf(client, signal);
  if (!site) return { info };
  const { icon, iconBackground, picture } = site;
  const file = picture && (await fileOf(client, picture, pictures, known, signal));
  const look: AppLook = {
    ...(icon !== undefined && { icon }),
    ...(icon !== undefined && iconBackground !== undefined && { iconBackground }),
    ...(picture && file !== undefined && { picture: { id: picture.id, file } }),
  };
  return { site, info: { ...info, description: info.description || site.description, look } };
}

async function siteOf(client: Pick<AppClient, 'site'>, signal: AbortSignal): Promise<AppSite | undefined> {
  try {
    return await client.site(signal);
  } catch (error) {
    if (isCancelled(error)) throw error;
    return undefined;
  }
}

async function fileOf(
  client: Pick<AppClient, 'picture'>,
  { id, address }: NonNullable<AppSite['picture']>,
  pictures: AppPictures,
  known: AppLook | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = known?.picture?.id === id ? known.picture.file : undefined;
  if (file !== undefined && (await pictures.read(file))) return file;
  const picture = await client.picture(address, signal);
  return picture && pictures.keep(picture);
}
