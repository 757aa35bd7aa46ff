import * as l10n from '@vscode/l10n';
import { asObject, asText } from '../base/json.ts';
import { oneLine } from '../base/text/oneLine.ts';
import { ownToolNames } from './ownToolNames.ts';
import type { ToolIdentity, ToolRule } from './tool.ts';
import { sha256 } from '../base/sha256.ts';

export interface OtherTool extends ToolIdentity {
  registeredName: string;
  /** Extension id and tool name; for MCP servers the name alone. */
  key: string;
  title: string;
  detail: string;
  source: string;
  isFromMcpServer: boolean;
  version: string;
}

export interface ToolExtension {
  id: string;
  packageJSON: unknown;
}

interface DeclaredTool extends Pick<OtherTool, 'title' | 'detail' | 'source' | 'version'> {
  name: string;
  extension: string;
}

/** A server's name can begin with `_`, or be `_` alone, as its other characters become. */
const mcpName = /^mcp_(_(?=_)|_*[^_]+)_(.+)$/;

/** Skips undeclared tools, the editor's, which only work in its chat, and those of `ownId`, our own extension. */
export function findOtherTools(
  listed: readonly { name: string; description: string }[],
  extensions: readonly ToolExtension[],
  ownId: string,
): OtherTool[] {
  const declared = extensions.flatMap(declaredTools);
  return listed.flatMap(({ name, description }): OtherTool[] => {
    const [first, ...others] = declared.filter((each) => each.name === name);
    if (!first) return mcpTool(name, description);
    const owners = [...new Set([first, ...others].map(({ extension }) => extension))].toSorted();
    // Built-in extensions serve the editor's own chat.
    if (owners.some((id) => id === ownId || id.startsWith('vscode.'))) return [];
    // If several extensions declare the name, the editor doesn't say whose tool runs.
    const key = `${owners.join('+')}/${name}`;
    const sources = new Set([first, ...others].map(({ source }) => source));
    return [
      {
        name: offeredName(name, owners.join('_'), key),
        registeredName: name,
        key,
        title: first.title,
        detail: first.detail || oneLine(description, longestDetail),
        source: [...sources].join(', '),
        isFromMcpServer: false,
        version: [first, ...others].map(({ version }) => version).join('+'),
      },
    ];
  });
}

function mcpTool(name: string, description: string): OtherTool[] {
  const [, server, title] = mcpName.exec(name) ?? [];
  if (!server || !title) return [];
  return [
    {
      name: offeredName(name, 'mcp', name),
      registeredName: name,
      key: name,
      title: shortLine(title),
      detail: oneLine(description, longestDetail),
      source: oneLine(server),
      isFromMcpServer: true,
      version: '',
    },
  ];
}

const longestTitle = 50;
const longestDetail = 1000;

function shortLine(title: string): string {
  return oneLine(oneLine(title), longestTitle);
}

function declaredTools({ id, packageJSON }: ToolExtension): DeclaredTool[] {
  const manifest = asObject(packageJSON);
  const tools = asObject(manifest?.['contributes'])?.['languageModelTools'];
  if (!Array.isArray(tools)) return [];
  const source = oneLine(asText(manifest?.['displayName']) ?? id);
  const version = asText(manifest?.['version']) ?? '';
  return tools.flatMap((each): DeclaredTool[] => {
    const tool = asObject(each);
    const name = asText(tool?.['name']);
    if (!name) return [];
    const title = shortLine(asText(tool?.['displayName']) ?? name);
    const detail = oneLine(asText(tool?.['userDescription']) ?? '', longestDetail);
    return [{ name, title, detail, source, version, extension: id.toLowerCase() }];
  });
}

/** Accepted by every vendor. */
const plainName = /^[A-Za-z0-9_-]{1,64}$/;
const longestName = 64;
const hashLength = 8;

/** Prefix of names we assign; no tool's own name can have it. */
const givenPrefix = 'ext_';

/** The name for models: the tool's own, or one with its extension's name if it isn't plain or resembles ours. */
function offeredName(name: string, owner: string, key: string): string {
  const isPlain = plainName.test(name);
  if (isPlain && !name.startsWith(givenPrefix) && !ownLooks.has(lookOf(name))) return name;
  const given = `${givenPrefix}${owner.replaceAll('.', '_')}_${name}`;
  if (plainName.test(given)) return given;
  const hash = sha256(key).slice(0, hashLength);
  const plain = given.replaceAll(/[^A-Za-z0-9_-]+/g, '_');
  return `${plain.slice(0, longestName - hashLength - 1)}_${hash}`;
}

const alike: readonly (readonly [RegExp, string])[] = [
  [/[-_]/g, ''],
  [/rn/g, 'm'],
  [/vv/g, 'w'],
  [/cl/g, 'd'],
  [/0/g, 'o'],
  [/[1i]/g, 'l'],
  [/2/g, 'z'],
  [/3/g, 'e'],
  [/4/g, 'a'],
  [/5/g, 's'],
  [/[69]/g, 'g'],
  [/7/g, 't'],
  [/8/g, 'b'],
];

function lookOf(name: string): string {
  return alike.reduce((look, [one, other]) => look.replaceAll(one, other), name.toLowerCase());
}

const ownLooks: ReadonlySet<string> = new Set(ownToolNames.map(lookOf));

/** The owner by extension id, which can't be chosen freely. */
export function ownerOf({ key, source, isFromMcpServer }: OtherTool): string {
  return isFromMcpServer ? l10n.t('MCP server {0}', source) : key.slice(0, key.indexOf('/'));
}

/** The title in questions and grants; unlike any of ours. */
export function titleWithOwner(tool: OtherTool): string {
  return `${tool.title} (${ownerOf(tool)})`;
}

export function refusalKey({ key, version }: OtherTool): string {
  return `${key}@${version}`;
}

/** A rule of `switchboard.tools.approval`: a mere name, which others can have, only makes it stricter. */
export function ruleIn(
  rules: Readonly<Record<string, ToolRule>>,
  { name, key = name }: ToolIdentity,
): ToolRule | undefined {
  const [ofKey, ofName] = [key, name].map((each) => (Object.hasOwn(rules, each) ? rules[each] : undefined));
  if (key === name) return ofKey;
  if (ofKey === 'deny' || ofName === 'deny') return 'deny';
  return ofName === 'ask' ? 'ask' : ofKey;
}
