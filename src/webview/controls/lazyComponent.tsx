import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

export interface LazyComponent<P> extends FunctionComponent<P> {
  load(): Promise<void>;
}

type PropsOf<C> = C extends ComponentType<infer P> ? P : never;

export function lazyComponent<M, K extends keyof M>(
  load: () => Promise<M>,
  name: K,
  Meanwhile?: M[K],
): LazyComponent<PropsOf<M[K]>> {
  let loaded: ComponentType<object> | undefined;
  const loadOnce = async () => {
    loaded ??= (await load())[name] as ComponentType<object>;
  };
  function LazyComponent(props: object) {
    const [Loaded, setLoaded] = useState(() => loaded);
    useEffect(() => {
      if (!Loaded) void loadOnce().then(() => setLoaded(() => loaded));
    }, []);
    const Shown = Loaded ?? (Meanwhile as ComponentType<object> | undefined);
    return Shown ? <Shown {...props} /> : null;
  }
  return Object.assign(LazyComponent, { load: loadOnce });
}
