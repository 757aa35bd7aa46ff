import type { ShownLook } from '../../shared/apps.ts';
import { Thumbnail } from '../thumbnail.tsx';

/** The emoji or the picture of an app. Its name stands beside it. */
export function AppLook({ look: { icon, iconBackground, picture } }: { look: ShownLook }) {
  if (icon !== undefined) {
    return (
      <span class="app-look" aria-hidden="true" style={{ backgroundColor: iconBackground }}>
        {icon}
      </span>
    );
  }
  if (picture === undefined) return null;
  return (
    <span class="app-look" aria-hidden="true">
      <Thumbnail id={picture} load={{ type: 'loadAppPicture', file: picture }} />
    </span>
  );
}
