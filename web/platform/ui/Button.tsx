// Buttons, and links that look like them.
import type { ComponentProps, MouseEvent, ReactNode, Ref } from 'react';
import { Link, type LinkProps } from 'react-router';

type Look = 'primary' | 'plain' | 'outline' | 'danger';
type Size = 'small' | 'normal' | 'large';

const looks: Record<Look, string> = {
  primary: 'btn-primary',
  plain: 'btn-ghost',
  outline: 'btn-outline border-base-content/30',
  danger: 'btn-error',
};
const sizes: Record<Size, string> = { small: 'btn-sm', normal: '', large: 'btn-lg' };

const classesOf = (look: Look, size: Size, extra = '') =>
  `btn ${looks[look]} ${sizes[size]} font-medium ${extra}`;

interface Dress {
  look?: Look;
  size?: Size;
  children: ReactNode;
}

/** Enter in a field of a form clicks the form's button, too: the form is not sent again either. */
const ignore = (click: MouseEvent) => click.preventDefault();

/** `busy` keeps a second click from counting. Not `disabled`, which would lose the focus. */
export function Button({
  look = 'primary',
  size = 'normal',
  busy = false,
  className,
  children,
  disabled = false,
  onClick,
  type = 'button',
  ...rest
}: Dress & { busy?: boolean } & ComponentProps<'button'>) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled && !busy}
      aria-disabled={busy || undefined}
      aria-busy={busy}
      onClick={busy ? ignore : onClick}
      className={`${classesOf(look, size, className)} ${busy ? 'pointer-events-auto cursor-progress' : ''}`}
    >
      {busy && <span className="loading loading-spinner loading-sm" aria-hidden="true" />}
      {children}
    </button>
  );
}

export function LinkButton({
  look = 'primary',
  size = 'normal',
  className,
  children,
  ...rest
}: Dress & LinkProps & { ref?: Ref<HTMLAnchorElement> }) {
  return (
    <Link {...rest} className={classesOf(look, size, className)}>
      {children}
    </Link>
  );
}
