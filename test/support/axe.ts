import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type axe from 'axe-core';
import type { Locator } from 'playwright-core';
import { lazy } from '../../src/base/async/lazy.ts';
import { root } from '../host/paths.ts';

/** Less than half of what `axe.source` is, and sent to each page. */
const source = lazy(() => readFile(join(root, 'node_modules', 'axe-core', 'axe.min.js'), 'utf8'));

/**
 * axe's own wrapper is slow: each check sends its source twice, and opens a second page.
 * @param rules by their ids; all by default
 */
export async function axeViolations(part: Locator, rules?: readonly string[]): Promise<string[]> {
  if (!(await part.evaluate(() => 'axe' in window))) await part.evaluate(await source());
  const { violations } = await part.evaluate(
    (element, only) =>
      (window as unknown as { axe: typeof axe }).axe.run(element, {
        resultTypes: ['violations'],
        ...(only && { runOnly: [...only] }),
      }),
    rules,
  );
  return violations.map(
    ({ id, help, nodes }) =>
      `${id}: ${help}\n${nodes.map(({ html, failureSummary }) => `  ${html.slice(0, 200)}\n  ${failureSummary}`).join('\n')}`,
  );
}
