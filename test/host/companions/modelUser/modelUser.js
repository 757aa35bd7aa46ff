const vscode = require('vscode');

/**
 * Another extension's use of Switchboard's contributions, by stable API only. Takes and returns plain values.
 * @typedef {{ id: string, name: string, input: object }} Call
 * @typedef {{ role?: 'user' | 'assistant', text?: string, png?: Uint8Array, calls?: Call[], results?: { id: string, text: string }[] }} Said
 * @typedef {{ text: string, calls: Call[], error?: { code?: string, message: string, isKind: boolean } }} Answered
 */

const vendor = 'switchboard';

/** @param {string} id */
async function find(id) {
  const [model] = await vscode.lm.selectChatModels({ vendor, id });
  if (!model) throw new Error(`There is no model "${id}".`);
  return model;
}

/** @param {Said} said */
function toMessage({ role = 'user', text, png, calls = [], results = [] }) {
  const calledTools = calls.map(
    ({ id, name, input }) => new vscode.LanguageModelToolCallPart(id, name, input),
  );
  const said = text ? [new vscode.LanguageModelTextPart(text)] : [];
  if (role === 'assistant') return vscode.LanguageModelChatMessage.Assistant([...said, ...calledTools]);
  return vscode.LanguageModelChatMessage.User([
    ...said,
    ...(png ? [vscode.LanguageModelDataPart.image(png, 'image/png')] : []),
    ...results.map(
      (result) =>
        new vscode.LanguageModelToolResultPart(result.id, [new vscode.LanguageModelTextPart(result.text)]),
    ),
  ]);
}

exports.activate = () => ({
  async models() {
    const models = await vscode.lm.selectChatModels({ vendor });
    return models.map(({ id, name, family, vendor: of, maxInputTokens }) => ({
      ...{ id, name, family, vendor: of, maxInputTokens },
    }));
  },

  /** @param {string} id @param {string} text */
  async count(id, text) {
    return (await find(id)).countTokens(text);
  },

  /**
   * @param {string} id @param {Said[]} messages
   * @param {{ tools?: import('vscode').LanguageModelChatTool[], isRequired?: boolean, stopsAtText?: boolean }} options
   */
  async ask(id, messages, { tools, isRequired, stopsAtText } = {}) {
    const stopping = new vscode.CancellationTokenSource();
    /** @type {Answered} */
    const outcome = { text: '', calls: [] };
    try {
      const model = await find(id);
      const response = await model.sendRequest(
        messages.map(toMessage),
        {
          ...(tools && { tools }),
          ...(isRequired && { toolMode: vscode.LanguageModelChatToolMode.Required }),
        },
        stopping.token,
      );
      for await (const part of response.stream) {
        if (part instanceof vscode.LanguageModelTextPart) outcome.text += part.value;
        if (part instanceof vscode.LanguageModelToolCallPart) {
          outcome.calls.push({ id: part.callId, name: part.name, input: part.input });
        }
        if (stopsAtText && outcome.text) stopping.cancel();
      }
    } catch (thrown) {
      const error = /** @type {Error & { code?: string }} */ (thrown);
      const isKind = error instanceof vscode.LanguageModelError;
      outcome.error = { code: error.code, message: error.message, isKind };
    } finally {
      stopping.dispose();
    }
    return outcome;
  },

  tools: () => vscode.lm.tools.filter(({ name }) => name.startsWith(`${vendor}_`)).map(({ name }) => name),

  /** @param {string} name @param {object} input */
  async call(name, input) {
    try {
      const options = { input, toolInvocationToken: undefined };
      const { content } = await vscode.lm.invokeTool(name, options);
      const texts = content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : ''));
      return { text: texts.join('') };
    } catch (error) {
      return { error: /** @type {Error} */ (error).message };
    }
  },
});
