/** What is secret on the way to a server: a proxy's sign-in, or the passphrase of a client certificate's key. */
export type NetworkSecretKind = 'proxy' | 'passphrase';

/** Secrets of the network, as they are kept and asked for. */
export interface NetworkSecrets {
  /** @param of the origin of the proxy, or the path of the file */
  get(kind: NetworkSecretKind, of: string): Promise<string | undefined>;
  /**
   * Asks the user once and keeps what is typed; undefined if the user does not want to. Of a proxy it is the value of
   * `Proxy-Authorization`.
   * @param refused the one that was tried and was wrong
   */
  ask(kind: NetworkSecretKind, of: string, refused: string | undefined): Promise<string | undefined>;
  /** The user wants to get this going: questions that were dismissed may be asked again. */
  askAgain(): void;
}

/** Where nobody can be asked. */
export const noNetworkSecrets: NetworkSecrets = {
  get: async () => undefined,
  ask: async () => undefined,
  askAgain: () => undefined,
};
