import * as l10n from '@vscode/l10n';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { formatNumber } from '../../base/text/format.ts';
import { reasoningEfforts } from '../../relay/parameters.ts';
import type { ParametersLoaded, ShownParameters } from '../../shared/parameters.ts';
import { usePanel } from '../state/panel.ts';
import { useDismissal } from './popupDismissal.ts';

interface Props {
  button: RefObject<HTMLButtonElement | null>;
  close(refocus: boolean): void;
}

export function ParameterSheet({ button, close }: Props) {
  const { state, post } = usePanel();
  const popup = useRef<HTMLDivElement>(null);
  const loaded = state.parameters.value;
  const selected = state.models.value.selected?.id;
  useEffect(() => post({ type: 'loadParameters' }), [selected]);
  useLayoutEffect(() => {
    const first = popup.current?.querySelector<HTMLElement>('input, select') ?? popup.current;
    first?.focus();
  }, [loaded === undefined]);
  useDismissal(popup, button, close);
  const isChanged = loaded !== undefined && Object.values(loaded.chosen).some((value) => value !== undefined);
  return (
    <div
      ref={popup}
      class="popup parameter-sheet"
      role="dialog"
      aria-label={l10n.t('Parameters')}
      tabIndex={-1}
    >
      {loaded && <Fields key={loaded.model} loaded={loaded} />}
      <button
        type="button"
        class="button secondary"
        aria-disabled={!isChanged}
        onClick={() => isChanged && post({ type: 'chooseParameters', parameters: {} })}
      >
        {l10n.t('Reset')}
      </button>
      <p class="parameter-note">
        {l10n.t('Applies to this conversation from the next request on. Empty values follow the settings.')}
      </p>
    </div>
  );
}

function Fields({ loaded }: { loaded: ParametersLoaded }) {
  const { post } = usePanel();
  const { chosen, defaults, refused, model } = loaded;
  const choose = (changed: Partial<ShownParameters>) =>
    post({ type: 'chooseParameters', parameters: { ...chosen, ...changed } });
  const isRefused = (name: keyof ShownParameters) => refused.includes(name);
  const asInSettings = (value: string | undefined) =>
    value === undefined ? l10n.t("the model's default") : l10n.t('{0}, from the settings', value);
  const inWords = (value: number | undefined, digits = 0) =>
    asInSettings(value === undefined ? undefined : formatNumber(value, digits));
  const efforts = reasoningEfforts.filter((effort) => !refused.includes(`reasoningEffort=${effort}`));
  const { reasoningEffort = '' } = chosen;
  return (
    <>
      <NumberField
        label={l10n.t('Temperature')}
        value={chosen.temperature}
        byDefault={inWords(defaults.temperature, 2)}
        limits={{ min: 0, max: 2, step: 0.1 }}
        refusedBy={isRefused('temperature') ? model : undefined}
        onChange={(temperature) => choose({ temperature })}
      />
      <NumberField
        label={l10n.t('Max output tokens')}
        value={chosen.maxTokens}
        byDefault={inWords(defaults.maxTokens)}
        limits={{ min: 1, step: 1 }}
        refusedBy={isRefused('maxTokens') ? model : undefined}
        onChange={(maxTokens) => choose({ maxTokens })}
      />
      <label>
        <span>{l10n.t('Reasoning effort')}</span>
        {isRefused('reasoningEffort') || efforts.length === 0 ? (
          <em>{l10n.t('Not supported by {0}', model)}</em>
        ) : (
          <select
            value={reasoningEffort}
            onChange={(event) => {
              const { value } = event.currentTarget;
              choose({ reasoningEffort: reasoningEfforts.find((effort) => effort === value) });
            }}
          >
            <option value="">{asInSettings(defaults.reasoningEffort)}</option>
            {efforts.map((effort) => (
              <option key={effort} value={effort}>
                {effort}
              </option>
            ))}
          </select>
        )}
      </label>
    </>
  );
}

interface NumberFieldProps {
  label: string;
  value: number | undefined;
  byDefault: string;
  limits: { min: number; max?: number; step: number };
  refusedBy: string | undefined;
  onChange(value: number | undefined): void;
}

function NumberField({ label, value, byDefault, limits, refusedBy, onChange }: NumberFieldProps) {
  const { min, max = Infinity, step } = limits;
  return (
    <label>
      <span>{label}</span>
      {refusedBy === undefined ? (
        <input
          type="number"
          {...limits}
          value={value ?? ''}
          placeholder={byDefault}
          onChange={(event) => {
            const { value: typed, valueAsNumber: number } = event.currentTarget;
            const isWhole = step < 1 || Number.isInteger(number);
            const isValid = typed === '' || (number >= min && number <= max && isWhole);
            event.currentTarget.ariaInvalid = String(!isValid);
            if (isValid) onChange(typed === '' ? undefined : number);
          }}
        />
      ) : (
        <em>{l10n.t('Not supported by {0}', refusedBy)}</em>
      )}
    </label>
  );
}
