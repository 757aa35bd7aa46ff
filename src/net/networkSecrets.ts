export type NetworkSecretKind = 'proxy' | 'passphrase';

export interface NetworkSecrets {
  /** @param of the origin of the proxy, or the path of the file */
  get(kind: NetworkSecretKind, of: string): Promise<string | undefined>;
  /**
   * Asks the user once and saves the answer; undefined if dismissed. A proxy's secret is the value of
   * `Proxy-Authorization`.
   * @param refused the secret that was rejected
   */
  ask(kind: NetworkSecretKind, of: string, refused: string | undefined): Promise<string | undefined>;
  askAgain(): void;
}

export const noNetworkSecrets: NetworkSecrets = {
  get: async () => undefined,
  ask: async () => undefined,
  askAgain: () => undefined,
};
