import type { ShownLook } from '../../shared/apps.ts';
import { Thumbnail } from '../transcript/thumbnail.tsx';

export function AppIcon({ look: { icon, iconBackground, picture } }: { look: ShownLook }) {
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
