import axe from 'axe-core';
import type { Locator } from 'playwright-core';

/**
 * What axe objects to in a part of a page and everything in it. The wrapper that axe has for Playwright is not used:
 * for each look it sends axe's source twice, opens a second page, and brings over what is in order, too.
 * @param rules by their ids, if it is not all of them
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
