import type { ButtonHTMLAttributes } from 'preact';

export function Icon({ name, spin }: { name: string; spin?: boolean }) {
  return <span class={`codicon codicon-${name}${spin ? ' codicon-modifier-spin' : ''}`} aria-hidden="true" />;
}

type ButtonProps = ButtonHTMLAttributes & { name: string; icon: string };

export function IconButton({ name, icon, class: extra, ...rest }: ButtonProps) {
  return (
    <button
      type="button"
      aria-label={name}
      title={name}
      {...rest}
      class={`icon-button ${typeof extra === 'string' ? extra : ''}`}
    >
      <Icon name={icon} />
    </button>
  );
}
