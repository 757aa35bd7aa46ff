export type NetworkSecretKind = 'proxy' | 'passphrase';

export interface NetworkSecrets {
  /** `of`: a proxy's origin (its secret: the value of `Proxy-Authorization`), or a file's path. */
  get(kind: NetworkSecretKind, of: string): Promise<string | undefined>;
  /** Asks once and saves the answer; undefined if dismissed. `refused`: the secret that was rejected. */
  ask(kind: NetworkSecretKind, of: string, refused: string | undefined): Promise<string | undefined>;
  askAgain(): void;
}

export const noNetworkSecrets: NetworkSecrets = {
  get: async () => undefined,
  ask: async () => undefined,
  askAgain: () => undefined,
};
