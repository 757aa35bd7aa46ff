import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A component that is loaded when it is first shown; until then there is nothing in its place. */
export function part<P extends object>(load: () => Promise<ComponentType<P>>): ComponentType<P> {
  let loaded: ComponentType<P> | undefined;
  return function Part(props: P) {
    const [Loaded, setLoaded] = useState(() => loaded);
    useEffect(() => {
      if (Loaded) return;
      void load().then((component) => {
        loaded = component;
        setLoaded(() => component);
      });
    }, []);
    return Loaded ? <Loaded {...props} /> : null;
  };
}
