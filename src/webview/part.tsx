import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export interface Part<P> extends FunctionComponent<P> {
  /** Loads it before it is shown; then it is there at once. */
  load(): Promise<void>;
}

/** A component that is loaded when it is first shown; until then there is another one in its place, or nothing. */
export function part<P extends object>(
  load: () => Promise<ComponentType<P>>,
  Meanwhile?: ComponentType<P>,
): Part<P> {
  let loaded: ComponentType<P> | undefined;
  const loadOnce = async () => {
    loaded ??= await load();
  };
  function Part(props: P) {
    const [Loaded, setLoaded] = useState(() => loaded);
    useEffect(() => {
      if (!Loaded) void loadOnce().then(() => setLoaded(() => loaded));
    }, []);
    const Shown = Loaded ?? Meanwhile;
    return Shown ? <Shown {...props} /> : null;
  }
  return Object.assign(Part, { load: loadOnce });
}
