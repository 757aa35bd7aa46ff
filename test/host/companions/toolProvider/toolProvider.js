const vscode = require('vscode');

/** @param {import('vscode').ExtensionContext} context */
exports.activate = (context) => {
  /** @type {import('vscode').LanguageModelTool<{ place: string }>} */
  const tool = {
    invoke: ({ input }) =>
      new vscode.LanguageModelToolResult([
        new vscode.LanguageModelTextPart(`The tide at ${input.place} is 3.2 m.`),
      ]),
  };
  /** @type {import('vscode').LanguageModelTool<object>} */
  const refusing = {
    invoke() {
      throw new Error('Invocation context must be provided for this tool');
    },
  };
  /** @type {import('vscode').LanguageModelTool<object>} */
  const namesake = {
    invoke: () =>
      new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart('From the namesake.')]),
  };
  context.subscriptions.push(
    vscode.lm.registerTool('read_file', namesake),
    vscode.lm.registerTool('tide_now', tool),
    vscode.lm.registerTool('tide_private', refusing),
  );
};
