import * as vscode from 'vscode';
import { join } from 'node:path';

const log: unknown[] = [];
describe('MCP probe', function () {
  this.timeout(60_000);
  it('probes', async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    const uri = vscode.Uri.joinPath(folder!.uri, '.vscode/mcp.json');
    const script = join(vscode.extensions.getExtension('switchboard.switchboard')!.extensionPath, 'test/fixtures/mcp/tideServer.mjs');
    log.push(['PROBE path', script, process.execPath].join(' '));
    await vscode.workspace.fs.writeFile(uri, Buffer.from(JSON.stringify({ servers: { 'My Tides': { command: process.execPath, args: [script] } } })));
    const t0 = Date.now();
    for (let i = 0; i < 20; i++) {
      const inspected = vscode.workspace.getConfiguration('mcp').inspect('servers');
      const byFolder = vscode.workspace.getConfiguration('mcp', folder!.uri).inspect('servers');
      if (i % 5 === 0) log.push(['PROBE config' + i + JSON.stringify(inspected), JSON.stringify(byFolder), JSON.stringify(vscode.workspace.getConfiguration('mcp', folder!.uri).get('servers'))].join(' '));
      await new Promise((r) => setTimeout(r, 200));
    }
    log.push(['PROBE commands', (await vscode.commands.getCommands(true)).filter((c) => c.startsWith('workbench.mcp')).join(' ')].join(' '));
    log.push(['PROBE tools before', vscode.lm.tools.map((t) => t.name).filter((n) => n.startsWith('mcp')).join(' ')].join(' '));
    try {
      const r = await Promise.race([
        vscode.commands.executeCommand('workbench.mcp.startServer', 'mcp.config.ws0.My Tides', { waitForLiveTools: true }),
        new Promise((res) => setTimeout(() => res('timeout'), 15000)),
      ]);
      log.push(['PROBE start', JSON.stringify(r), Date.now() - t0].join(' '));
    } catch (error) {
      log.push(['PROBE start error', String(error)].join(' '));
    }
    log.push(['PROBE tools after', vscode.lm.tools.map((t) => t.name).filter((n) => n.startsWith('mcp')).join(' ')].join(' '));
    await vscode.workspace.fs.delete(uri);
    throw new Error(log.map(String).join('\n'));
  });
});
