import type { PathTest } from '../../base/files/matchGlob.ts';
import { canonicalNames } from './secretByName.ts';

/** The reason why changing a file always asks: it runs code or changes what is allowed. */
export type Protection =
  | 'editor'
  | 'container'
  | 'git'
  | 'pipeline'
  | 'package'
  | 'shell'
  | 'exclusion'
  | 'instructions'
  | 'setting';

const folders: Record<string, Protection> = {
  '.vscode': 'editor',
  '.vscode-server': 'editor',
  '.idea': 'editor',
  '.fleet': 'editor',
  '.zed': 'editor',
  '.vs': 'editor',
  '.vim': 'editor',
  '.nvim': 'editor',
  '.emacs.d': 'editor',
  '.devcontainer': 'container',
  '.git': 'git',
  '.githooks': 'git',
  '.husky': 'git',
  '.lefthook': 'git',
  '.github': 'pipeline',
  '.gitlab': 'pipeline',
  '.gitlab-ci': 'pipeline',
  '.gitea': 'pipeline',
  '.forgejo': 'pipeline',
  '.circleci': 'pipeline',
  '.azure-pipelines': 'pipeline',
  '.buildkite': 'pipeline',
  '.woodpecker': 'pipeline',
  '.teamcity': 'pipeline',
  '.semaphore': 'pipeline',
  '.cargo': 'package',
  '.mvn': 'package',
  '.yarn': 'package',
  '.agents': 'instructions',
  '.amazonq': 'instructions',
  '.augment': 'instructions',
  '.claude': 'instructions',
  '.clinerules': 'instructions',
  '.codex': 'instructions',
  '.continue': 'instructions',
  '.cursor': 'instructions',
  '.gemini': 'instructions',
  '.junie': 'instructions',
  '.kiro': 'instructions',
  '.opencode': 'instructions',
  '.roo': 'instructions',
  '.switchboard': 'instructions',
  '.trae': 'instructions',
  '.windsurf': 'instructions',
  autostart: 'shell',
  launchagents: 'shell',
};

const files: Record<string, Protection> = {
  '.vimrc': 'editor',
  '.exrc': 'editor',
  '.nvimrc': 'editor',
  '.nvim.lua': 'editor',
  '.emacs': 'editor',
  '.dir-locals.el': 'editor',
  '.devcontainer.json': 'container',
  'devcontainer.json': 'container',
  '.gitpod.yml': 'container',
  'docker-bake.hcl': 'container',
  'docker-bake.json': 'container',
  vagrantfile: 'container',
  '.gitattributes': 'git',
  '.gitmodules': 'git',
  '.pre-commit-config.yaml': 'git',
  '.pre-commit-config.yml': 'git',
  '.gitlab-ci.yml': 'pipeline',
  '.travis.yml': 'pipeline',
  '.drone.yml': 'pipeline',
  '.woodpecker.yml': 'pipeline',
  '.woodpecker.yaml': 'pipeline',
  '.cirrus.yml': 'pipeline',
  '.appveyor.yml': 'pipeline',
  'appveyor.yml': 'pipeline',
  'bitbucket-pipelines.yml': 'pipeline',
  'cloudbuild.yaml': 'pipeline',
  'cloudbuild.yml': 'pipeline',
  'codemagic.yaml': 'pipeline',
  'netlify.toml': 'pipeline',
  'vercel.json': 'pipeline',
  'firebase.json': 'pipeline',
  'package.json': 'package',
  'package-lock.json': 'package',
  'npm-shrinkwrap.json': 'package',
  'pnpm-workspace.yaml': 'package',
  'pnpm-lock.yaml': 'package',
  '.pnpmfile.cjs': 'package',
  'yarn.lock': 'package',
  'bun.lock': 'package',
  'bun.lockb': 'package',
  'bunfig.toml': 'package',
  'deno.json': 'package',
  'deno.jsonc': 'package',
  'deno.lock': 'package',
  'composer.json': 'package',
  'composer.lock': 'package',
  'cargo.lock': 'package',
  'gemfile.lock': 'package',
  'go.sum': 'package',
  'poetry.lock': 'package',
  'uv.lock': 'package',
  'pipfile.lock': 'package',
  'packages.lock.json': 'package',
  'pyproject.toml': 'package',
  'setup.py': 'package',
  'setup.cfg': 'package',
  'conftest.py': 'package',
  'noxfile.py': 'package',
  'tox.ini': 'package',
  'fabfile.py': 'package',
  'dodo.py': 'package',
  sconstruct: 'package',
  sconscript: 'package',
  wscript: 'package',
  justfile: 'package',
  '.justfile': 'package',
  rakefile: 'package',
  gemfile: 'package',
  podfile: 'package',
  procfile: 'package',
  earthfile: 'package',
  tiltfile: 'package',
  'build.rs': 'package',
  'build.zig': 'package',
  'build.xml': 'package',
  'pom.xml': 'package',
  'mix.exs': 'package',
  'package.swift': 'package',
  pipfile: 'package',
  'lerna.json': 'package',
  'nx.json': 'package',
  'turbo.json': 'package',
  'karma.conf.js': 'package',
  'karma.conf.ts': 'package',
  'cmakelists.txt': 'package',
  'meson.build': 'package',
  '.bazelrc': 'package',
  'flake.nix': 'package',
  'shell.nix': 'package',
  'default.nix': 'package',
  '.pnp.cjs': 'package',
  '.pnp.loader.mjs': 'package',
  'sitecustomize.py': 'package',
  'usercustomize.py': 'package',
  'gradle-wrapper.properties': 'package',
  'gradle-wrapper.jar': 'package',
  gradlew: 'package',
  'gradlew.bat': 'package',
  mvnw: 'package',
  'mvnw.cmd': 'package',
  'mise.toml': 'package',
  '.mise.toml': 'package',
  '.tool-versions': 'package',
  '.profile': 'shell',
  '.login': 'shell',
  '.inputrc': 'shell',
  '.xprofile': 'shell',
  '.xinitrc': 'shell',
  '.xsession': 'shell',
  '.screenrc': 'shell',
  '.tmux.conf': 'shell',
  '.pythonrc': 'shell',
  '.pythonrc.py': 'shell',
  '.irbrc': 'shell',
  '.pryrc': 'shell',
  '.gdbinit': 'shell',
  '.lldbinit': 'shell',
  '.rprofile': 'shell',
  '.autoenv': 'shell',
  '.autoenv.zsh': 'shell',
  'config.fish': 'shell',
  'profile.ps1': 'shell',
  crontab: 'shell',
  '.switchboardignore': 'exclusion',
  '.gitignore': 'exclusion',
  '.ignore': 'exclusion',
  '.rgignore': 'exclusion',
  '.aiignore': 'exclusion',
  '.aiexclude': 'exclusion',
  '.cursorignore': 'exclusion',
  '.geminiignore': 'exclusion',
  'agents.md': 'instructions',
  'agents.override.md': 'instructions',
  'agent.md': 'instructions',
  'claude.md': 'instructions',
  'claude.local.md': 'instructions',
  'gemini.md': 'instructions',
  'qwen.md': 'instructions',
  'skill.md': 'instructions',
  'copilot-instructions.md': 'instructions',
  '.cursorrules': 'instructions',
  '.windsurfrules': 'instructions',
  '.roorules': 'instructions',
  '.goosehints': 'instructions',
  '.rules': 'instructions',
  'warp.md': 'instructions',
  '.mcp.json': 'instructions',
  'mcp.json': 'instructions',
  'mcp_settings.json': 'instructions',
  'opencode.json': 'instructions',
  'opencode.jsonc': 'instructions',
};

const patterns: [RegExp, Protection][] = [
  [/\.code-workspace$/, 'editor'],
  [
    /^(pre|post|commit|prepare|applypatch)-(commit|commit-msg|merge-commit|push|merge|checkout|rewrite|rebase|receive|update|applypatch|auto-gc|index-change|msg)$/,
    'git',
  ],
  [/^(fsmonitor-watchman|proc-receive|push-to-checkout|reference-transaction|sendemail-validate)$/, 'git'],
  [/^\.?lefthook(-local)?\.(ya?ml|json|toml)$/, 'git'],
  [
    /^\.?(lintstagedrc|lint-staged\.config|commitlintrc|commitlint\.config|huskyrc|husky\.config)(\.\w+)?$/,
    'git',
  ],
  [/^(docker|container)file(\.|$)|\.(docker|container)file$/, 'container'],
  [/^(docker-|podman-)?compose(\..*)?\.ya?ml$/, 'container'],
  [/^(gnu|bsd)?makefile(\.|$)|\.(mk|mak|cmake|gradle|sbt|bzl|rake|gemspec|just)$/, 'package'],
  [/^(build|workspace|module)\.bazel$|\.gradle\.kts$/, 'package'],
  [/^requirements([-_.].*)?\.(txt|in)$/, 'package'],
  [/^(task|rake|gulp|grunt|jake)file(\.dist)?\.(ya?ml|rb|[cm]?[jt]s)$/, 'package'],
  // Also MSBuild's, which the C# extension loads when a folder is opened.
  [/\.(cs|fs|vb|vcx|sql|es|wix)?proj$|\.(props|targets)$/, 'package'],
  // Tools run these for linting, formatting, testing and building.
  [
    /^\.?(eslint|prettier|stylelint|babel|swc|vite|vitest|jest|mocha|ava|karma|cypress|playwright|webpack|rspack|rollup|esbuild|tsup|postcss|tailwind|metro|astro|svelte|next|nuxt|remix|graphql|release|semantic-release|puppeteer|ember-cli|wdio)(\.config|rc)(\.\w+)?$/,
    'package',
  ],
  [/^jenkinsfile/, 'pipeline'],
  [/^azure-pipelines.*\.ya?ml$/, 'pipeline'],
  [/^(serverless|skaffold)\.(ya?ml|json|[jt]s)$|^wrangler\.(toml|jsonc?)$/, 'pipeline'],
  [/\.pth$/, 'package'],
  [
    /^\.(bashrc|bash_(profile|login|logout|aliases)|z(shrc|shenv|profile|login|logout)|(k|c|tc)shrc)$/,
    'shell',
  ],
  [/^microsoft\.\w+_profile\.ps1$/, 'shell'],
  [/\.(instructions|prompt|chatmode|agent)\.md$/, 'instructions'],
  [/^\.aider\b/, 'instructions'],
];

/** The reason why a change always asks; undefined for ordinary files. `relative` has no links. */
export function protectionOf(relative: string, isListed: PathTest): Protection | undefined {
  const names = canonicalNames(relative);
  for (const [index, name] of names.entries()) {
    const ofFolder = Object.hasOwn(folders, name) ? folders[name] : undefined;
    if (ofFolder) return ofFolder;
    if (index < names.length - 1) continue;
    const ofFile = Object.hasOwn(files, name) ? files[name] : undefined;
    if (ofFile) return ofFile;
    const found = patterns.find(([pattern]) => pattern.test(name));
    if (found) return found[1];
  }
  const parts = relative.split(/[\\/]+/);
  const isSet = parts.some((_, index) => isListed(parts.slice(0, index + 1).join('/')));
  return isSet ? 'setting' : undefined;
}

/** For a workspace folder inside such a folder, whose files would look ordinary. */
export function protectionOfRoot(absolute: string): Protection | undefined {
  for (const name of canonicalNames(absolute)) {
    const protection = Object.hasOwn(folders, name) ? folders[name] : undefined;
    // Assistants keep whole working copies in their folders.
    if (protection && protection !== 'instructions') return protection;
  }
  return undefined;
}
