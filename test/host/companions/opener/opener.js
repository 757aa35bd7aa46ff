const vscode = require('vscode');

exports.activate = () => vscode.commands.executeCommand('switchboard.chat.focus');
