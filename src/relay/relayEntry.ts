/** An entry of the setting `relay.connections`: a relay besides that of `relay.baseUrl`, or what that one is called. */
export interface RelayEntry {
  baseUrl: string;
  /** Its host, if absent. */
  name?: string | undefined;
  /** For requests to this relay alone. */
  headers?: Readonly<Record<string, string>> | undefined;
}
