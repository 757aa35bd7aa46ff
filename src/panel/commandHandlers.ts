/** Handlers of a group of page commands, by type. A rejection is shown to the user. */
export type CommandHandlers<Command extends { type: string }> = {
  readonly [Type in Command['type']]: (command: Extract<Command, { type: Type }>) => void | Promise<unknown>;
};

/** Runs a command's handler. Never throws: a failure rejects. */
export async function handleCommand<Command extends { type: string }>(
  handlers: CommandHandlers<Command>,
  command: Command,
): Promise<void> {
  const handler = handlers[command.type as Command['type']] as (command: Command) => void | Promise<unknown>;
  await handler(command);
}
