export interface Message {
  id?: string | number;
  method?: string;
  params?: unknown;
}

export interface Hello {
  token: string;
  configuration: string;
  folder: string;
}

export function readMessage(line: string): Message | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    // The caller answers it as invalid JSON.
    return undefined;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { id, method, params } = value as Record<string, unknown>;
  return {
    ...((typeof id === 'string' || typeof id === 'number') && { id }),
    ...(typeof method === 'string' && { method }),
    ...(params !== undefined && { params }),
  };
}

export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

export const protocolVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const;

export const bridgeName = 'switchboard-knowledge';

export const noWindow =
  'No window of VS Code with Switchboard answers. Ask the user to open the Switchboard view in VS Code, then call the tool again.';
export const windowClosed = 'The window of VS Code closed before it answered. Call the tool again.';

/** In bytes. */
export const longestHello = 50_000;
