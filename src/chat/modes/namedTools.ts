const namedSets: Readonly<Record<string, readonly string[]>> = {
  skill: ['read_skill'],
  read: ['read_file', 'get_diagnostics', 'get_open_editors'],
  readFile: ['read_file'],
  search: ['search_text', 'list_files', 'find_symbols', 'find_references', 'search_knowledge'],
  codebase: ['search_text', 'find_symbols', 'list_files'],
  textSearch: ['search_text'],
  fileSearch: ['list_files'],
  listDirectory: ['list_files'],
  usages: ['find_references', 'find_symbols'],
  searchResults: ['search_text'],
  problems: ['get_diagnostics'],
  changes: ['get_changes'],
  edit: ['edit_file', 'create_file'],
  editFiles: ['edit_file', 'create_file'],
  createFile: ['create_file'],
  todo: ['update_plan'],
  todos: ['update_plan'],
  execute: ['run_command'],
  runCommands: ['run_command'],
  runInTerminal: ['run_command'],
  // Names in agents of Claude Code.
  Read: ['read_file'],
  Grep: ['search_text'],
  Glob: ['list_files'],
  LS: ['list_files'],
  Edit: ['edit_file'],
  MultiEdit: ['edit_file'],
  Write: ['create_file', 'edit_file'],
  Bash: ['run_command'],
  TodoWrite: ['update_plan'],
  Skill: ['read_skill'],
};

export interface NamedTools {
  tools: ReadonlySet<string>;
  unknown: readonly string[];
}

/** Accepts our names, third-party ones (`server/*`) and other assistants' (`edit`, `search/codebase`). */
export function findNamedTools(names: readonly string[], known: readonly string[]): NamedTools {
  const tools = new Set<string>();
  const unknown: string[] = [];
  for (const name of names) {
    const found = toolsNamed(name.replace(/^#/, ''), known);
    for (const tool of found) tools.add(tool);
    if (found.length === 0) unknown.push(name);
  }
  return { tools, unknown };
}

function toolsNamed(name: string, known: readonly string[]): readonly string[] {
  if (name === '*') return known;
  if (known.includes(name)) return [name];
  const [, server] = /^(.+)\/\*$/.exec(name) ?? [];
  if (server !== undefined) return known.filter((tool) => tool.startsWith(`mcp_${server}_`));
  const last = name.slice(name.lastIndexOf('/') + 1);
  const set = Object.hasOwn(namedSets, last) ? (namedSets[last] ?? []) : [];
  const [, ofServer, tool] = /^([^/]+)\/([^/]+)$/.exec(name) ?? [];
  return known.filter((each) => set.includes(each) || each === `mcp_${ofServer}_${tool}`);
}
