const prompt = /^(?:\$|%|PS [^>]*>|[A-Z]:\\[^>]*>)\s+/;

/** The commands of a shell block. Of a session with prompts, those lines without their output. */
export function commandsIn(code: string, language: string): string {
  const lines = code.replaceAll('\r\n', '\n').split('\n');
  const isSession = /^(?:console|shell-session)$/i.test(language);
  if (!isSession && !prompt.test(lines.find((line) => line.trim() !== '') ?? '')) return code.trim();
  const commands: string[] = [];
  let continues = false;
  for (const line of lines) {
    if (prompt.test(line)) commands.push(line.replace(prompt, ''));
    else if (continues) commands.push(line.replace(/^> /, ''));
    else continue;
    continues = /[\\`^]$/.test(line);
  }
  return commands.length > 0 ? commands.join('\n').trim() : code.trim();
}
