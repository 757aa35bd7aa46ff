import * as l10n from '@vscode/l10n';
import type { ComponentChildren } from 'preact';
import { formatNumber, plural } from '../../base/text/format.ts';
import { textSize } from '../../base/text/formatSize.ts';
import type { ShownArguments, ShownText as Text } from '../../shared/tools.ts';

export function Arguments({ given: { rows, more } }: { given: ShownArguments }) {
  const isLong = rows.some(({ size, end }) => size && end === undefined);
  return (
    <div
      class={isLong ? 'arguments long' : 'arguments'}
      role="group"
      aria-label={l10n.t('Arguments')}
      tabIndex={0}
    >
      <dl>
        {rows.map((row, n) => (
          <div key={n}>
            <dt>{row.name}</dt>
            <dd class={row.kind}>
              <ShownText text={row} draw={row.kind === 'list' ? drawItems : undefined} />
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

function drawItems(stretch: string) {
  return (
    <ul role="list">
      {stretch
        .replace(/\n$/, '')
        .split('\n')
        .map((item, n) => (
          <li key={n}>{item}</li>
        ))}
    </ul>
  );
}

interface Props {
  text: Text;
  draw?: ((stretch: string) => ComponentChildren) | undefined;
}

export function ShownText({ text: { value, end, size }, draw = (stretch) => stretch }: Props) {
  return (
    <>
      {draw(value)}
      {size && <span class="cut size">{end === undefined ? textSize(size) : `… ${textSize(size)} …`}</span>}
      {end !== undefined && draw(end)}
    </>
  );
}
