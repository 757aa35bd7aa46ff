import * as l10n from '@vscode/l10n';
import { formatNumber, plural } from '../../base/format.ts';
import type { ShownArguments } from '../../shared/tools.ts';

/** The arguments of a call by their names. */
export function Arguments({ given: { rows, more } }: { given: ShownArguments }) {
  return (
    <div class="arguments" role="group" aria-label={l10n.t('Arguments')} tabIndex={0}>
      <dl>
        {rows.map((row) => (
          <div key={row.name}>
            <dt>{row.name}</dt>
            <dd class={row.kind}>
              {row.kind === 'list' ? <Items of={row.value.split('\n')} /> : row.value}
              {row.more > 0 && (
                <span class="cut">
                  {plural(
                    row.more,
                    l10n.t('… 1 more character'),
                    l10n.t('… {0} more characters', formatNumber(row.more)),
                  )}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {more > 0 && (
        <p class="cut">
          {plural(more, l10n.t('1 more argument'), l10n.t('{0} more arguments', formatNumber(more)))}
        </p>
      )}
    </div>
  );
}

function Items({ of: items }: { of: readonly string[] }) {
  return (
    <ul role="list">
      {items.map((item, n) => (
        <li key={n}>{item}</li>
      ))}
    </ul>
  );
}
