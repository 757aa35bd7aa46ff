import * as l10n from '@vscode/l10n';
import { SwitchboardError } from '../../base/errors/errors.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import { environmentSecrets } from './commandEnvironment.ts';
import { CommandOutput, keptOfTerminal } from './commandOutput.ts';

/** A command of the user in a terminal with shell integration. The editor corrects its line while it runs. */
export interface TerminalExecution {
  readonly commandLine: { readonly value: string };
  read(): AsyncIterable<string>;
}

export interface UserTerminal {
  readonly name: string;
  /** Absent while the shell doesn't tell where commands begin and end. */
  readonly shellIntegration?: object | undefined;
}

interface LastCommand {
  execution: TerminalExecution;
  output: CommandOutput;
  end?: { code: number | undefined };
}

const longestName = 60;

export class TerminalCommands<T extends UserTerminal> {
  private readonly last = new WeakMap<T, LastCommand>();

  began(terminal: T, execution: TerminalExecution): void {
    const command: LastCommand = { execution, output: new CommandOutput([], [], keptOfTerminal) };
    this.last.set(terminal, command);
    void this.listen(command);
  }

  ended(terminal: T, execution: TerminalExecution, code: number | undefined): void {
    const command = this.last.get(terminal);
    if (command?.execution === execution) command.end = { code };
  }

  lineIn(terminal: T | undefined): string | undefined {
    const line = terminal && this.last.get(terminal)?.execution.commandLine.value;
    return line === undefined ? undefined : oneLine(line, longestName);
  }

  problemOf(terminal: T | undefined): string | undefined {
    if (!terminal) return l10n.t('No terminal is open. Open one and run a command in it.');
    if (this.last.has(terminal)) return undefined;
    return terminal.shellIntegration
      ? l10n.t('No command has run in {0} since Switchboard started. Run it again.', terminal.name)
      : l10n.t(
          'Shell integration isn\'t active in {0}. Turn on "terminal.integrated.shellIntegration.enabled", open a new terminal and run the command there.',
          terminal.name,
        );
  }

  /** The last command for the model, with secrets masked as in results of tools. Throws if there is none. */
  read(
    terminal: T | undefined,
    secrets: readonly string[],
    environment: Readonly<NodeJS.ProcessEnv>,
  ): { name: string; text: string } {
    const command = terminal && this.last.get(terminal);
    if (!command) throw new SwitchboardError('conflict', this.problemOf(terminal) ?? '');
    const { execution, output, end } = command;
    const line = new CommandOutput([]);
    for (const each of [output, line]) each.mask(secrets, environmentSecrets(environment));
    line.pushText(execution.commandLine.value);
    const masked = line.kept();
    const state = !end
      ? 'Still running. Output so far:'
      : end.code === undefined
        ? 'Ended; its exit code is not known. Output:'
        : `Exit code ${end.code}. Output:`;
    return {
      name: oneLine(masked, longestName) || terminal.name,
      text: `$ ${masked}\n${state}\n${output.shown().text}`,
    };
  }

  private async listen({ execution, output }: LastCommand): Promise<void> {
    try {
      for await (const piece of execution.read()) output.pushText(piece);
    } catch {
      // The terminal was closed; the output so far is kept.
    }
  }
}
