import { isCancelled } from '../base/errors/errors.ts';
import type { AppInfo, AppLook, AppSite } from './app.ts';
import type { PictureFiles } from '../base/files/pictureFiles.ts';
import type { AppClient } from './client/appClient.ts';

export interface DescribedApp {
  info: AppInfo;
  site?: AppSite | undefined;
}

/** Ignores failures, as many platforms have no site. `known`: the current look, whose picture is not loaded again. */
export async function describeApp(
  client: Pick<AppClient, 'site' | 'picture'>,
  info: AppInfo,
  pictures: PictureFiles,
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
  pictures: PictureFiles,
  known: AppLook | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = known?.picture?.id === id ? known.picture.file : undefined;
  if (file !== undefined && (await pictures.read(file))) return file;
  const picture = await client.picture(address, signal);
  return picture && pictures.keep(picture);
}
