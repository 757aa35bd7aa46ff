const vscode = require('vscode');

/** @param {import('vscode').ExtensionContext} context */
exports.activate = (context) => {
  context.subscriptions.push(
    vscode.window.registerWebviewViewProvider('emptyView.box', {
      resolveWebviewView({ webview }) {
        webview.options = { enableScripts: true };
        webview.html = '<!DOCTYPE html><html><body><textarea aria-label="Empty"></textarea></body></html>';
      },
    }),
  );
};
