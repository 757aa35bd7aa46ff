export type NetworkSecretKind = 'proxy' | 'passphrase';

export interface NetworkSecrets {
  /** @param of the origin of the proxy, or the path of the file */
  get(kind: NetworkSecretKind, of: string): Promise<string | undefined>;
  /**
   * Asks once and saves the answer; undefined if dismissed. `refused`: the rejected `Proxy-Authorization` or
   * passphrase.
   */
  ask(kind: NetworkSecretKind, of: string, refused: string | undefined): Promise<string | undefined>;
  askAgain(): void;
}

export const noNetworkSecrets: NetworkSecrets = {
  get: async () => undefined,
  ask: async () => undefined,
  askAgain: () => undefined,
};
