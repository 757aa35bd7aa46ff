import * as z from 'zod/mini';
import { frame } from '../../base/text/frame.ts';
import { oneLine } from '../../base/text/oneLine.ts';
import { joinPath } from '../files/fileSystem.ts';
import { defineTool, type Tool, type ToolResult } from '../tool.ts';
import { granted, ToolFailure } from '../toolFailure.ts';
import type { Skill } from './skills.ts';

const mostTold = 20;
/** Keeps the first request within its 2,500 tokens. */
const toldCharacters = 640;
const fewestCharacters = 60;

const longestLine = 1200;
const mostFiles = 50;
const longestFile = 50_000;

export function readSkillTool(all: readonly Skill[]): Tool | undefined {
  const skills = all.filter(({ isForModels }) => isForModels);
  if (skills.length === 0) return undefined;
  return defineTool({
    name: 'read_skill',
    description: `Reads a skill: how something is done here. Read the fitting one first. Skills:\n${toldSkills(skills)}`,
    input: z.object({
      name: z.string().check(z.describe('Or words to search for.')),
      file: z.optional(z.string().check(z.describe('One of its files.'))),
    }),
    risk: 'read',
    async run({ name, file }, { signal }) {
      const skill = skills.find((each) => each.name === name);
      if (!skill) return foundSkills(skills, name);
      if (file !== undefined) return readFileOf(skill, file, signal);
      return { content: await skillText(skill), isError: false };
    },
  });
}

function toldSkills(skills: readonly Skill[]): string {
  const lines: string[] = [];
  const longest = Math.max(fewestCharacters, Math.floor(toldCharacters / Math.min(skills.length, mostTold)));
  let left = toldCharacters;
  for (const skill of skills.slice(0, mostTold)) {
    const line = lineOf(skill, longest);
    left -= line.length;
    if (left < 0 && lines.length > 0) break;
    lines.push(line);
  }
  const more = skills.length - lines.length;
  return [...lines, ...(more > 0 ? [`${more} more: search for them.`] : [])].join('\n');
}

function lineOf({ name, description = '' }: Skill, longest = longestLine): string {
  return `- ${oneLine(`${name}: ${description}`, longest)}`;
}

function foundSkills(skills: readonly Skill[], words: string): ToolResult {
  const wanted = words.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const found = skills.filter(({ name, description = '' }) => {
    const text = `${name} ${description}`.toLowerCase();
    return wanted.some((word) => text.includes(word));
  });
  if (found.length === 0) throw new ToolFailure(`No skill has to do with ${JSON.stringify(words)}.`);
  const listed = found.slice(0, mostTold).map((skill) => lineOf(skill));
  const more = found.length - listed.length;
  const rest = more > 0 ? [`[${more} more. Search with other words.]`] : [];
  return { content: [...listed, ...rest].join('\n'), isError: false, count: found.length };
}

export async function skillText(skill: Skill): Promise<string> {
  const files = await filesOf(skill);
  const listed = files.slice(0, mostFiles);
  const more = files.length > listed.length ? ' and more' : '';
  const others =
    files.length > 0 ? `\n\nIts other files, in ${skill.folder}: ${listed.join(', ')}${more}.` : '';
  return frame({ kind: 'instructions', facts: { skill: skill.name }, body: skill.body }) + others;
}

async function filesOf({ path, readers }: Skill): Promise<string[]> {
  const { access } = readers.workspace.files;
  const run = readers.policy.start();
  const list = async (folder: string) => {
    if (!(await run.check(joinPath(path, folder), 'list')).isAllowed) return [];
    return access.list(joinPath(path, folder)).catch(() => []);
  };
  const names: string[] = [];
  for (const { name, type } of await list('')) {
    if (type === 'file' && name !== 'SKILL.md') names.push(name);
    if (type !== 'folder') continue;
    for (const inside of await list(name))
      if (inside.type === 'file') names.push(joinPath(name, inside.name));
  }
  return names.toSorted();
}

async function readFileOf({ path, readers }: Skill, file: string, signal: AbortSignal): Promise<ToolResult> {
  const { policy, texts } = readers;
  const verdict = granted(await policy.check(joinPath(path, file), 'read'));
  const { text, isCut } = await texts.readStart(verdict, longestFile, signal);
  const note = isCut ? '\n[The file goes on. The rest can be read with a command.]' : '';
  return { content: text + note, isError: false };
}
