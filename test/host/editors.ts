export interface Editor {
  codeServer: string;
  /** Also the version of the desktop editor. */
  vscode: string;
  /** Release that code-server asks for, of the major version that VS Code's extension host runs on. */
  node: string;
  /** Registry releases of packages that code-server takes from Git or fetches by an install script. */
  fromRegistry: readonly string[];
  /** Releases of code-server's packages that need no compiler, unlike the ones it asks for. */
  overrides: Record<string, string>;
}

export const editors = {
  newest: {
    codeServer: '4.139.1',
    vscode: '1.139.1',
    node: '24.21.0',
    fromRegistry: [],
    overrides: {},
  },
  /** The oldest version that `engines.vscode` allows: forks are behind by months. */
  oldest: {
    codeServer: '4.106.3',
    vscode: '1.106.3',
    node: '22.20.0',
    fromRegistry: ['@parcel/watcher@2.5.6', '@vscode/ripgrep@1.18.0'],
    overrides: { argon2: '0.44.0' },
  },
} satisfies Record<string, Editor>;

const variable = 'SWITCHBOARD_TEST_EDITOR';

/** Chooses the editor for this process and its children. Throws for an unknown name. */
export function chooseEditor(name: string): void {
  if (!(name in editors))
    throw new Error(`There is no editor ${name}; there are ${Object.keys(editors).join(', ')}.`);
  process.env[variable] = name;
}

export function chosenEditor(): Editor {
  return editors[(process.env[variable] ?? 'newest') as keyof typeof editors];
}
