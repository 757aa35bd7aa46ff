import axe from 'axe-core';
import type { Locator } from 'playwright-core';

/**
 * axe's own wrapper is slow: each check sends its source twice, and opens a second page.
 * @param rules by their ids; all by default
 */
export async function axeViolations(part: Locator, rules?: readonly string[]): Promise<string[]> {
  if (!(await part.evaluate(() => 'axe' in window))) await part.evaluate(axe.source);
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
