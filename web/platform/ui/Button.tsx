// Buttons, and links that look like them.
import { Children, type ComponentProps, type MouseEvent, type ReactNode, type Ref } from 'react';
import { Link, type LinkProps } from 'react-router';

type Look = 'primary' | 'plain' | 'outline' | 'danger';
type Size = 'small' | 'normal' | 'large';

const looks: Record<Look, string> = {
  primary: 'btn-primary',
  plain: 'btn-ghost',
  outline: 'btn-outline border-edge',
  danger: 'btn-error',
};
const sizes: Record<Size, string> = { small: 'btn-sm', normal: '', large: 'btn-lg' };

const classesOf = (look: Look, size: Size, extra = '') =>
  `btn ${looks[look]} ${sizes[size]} font-medium ${extra}`;

interface Dress {
  look?: Look;
  size?: Size;
  /** In a row: what it is about. A screen reader says it after the words of the button. */
  of?: string | undefined;
  children: ReactNode;
}

const nameOf = (children: ReactNode, of: string | undefined) => {
  const words = Children.toArray(children).filter((child) => typeof child === 'string');
  return of === undefined ? {} : { 'aria-label': `${words.join('').trim()}: ${of}` };
};

/** Enter in a field of a form clicks the form's button, too: the form is not sent again either. */
const ignore = (click: MouseEvent) => click.preventDefault();

/** `busy` keeps a second click from counting. Not `disabled`, which would lose the focus. */
export function Button({
  look = 'primary',
  size = 'normal',
  busy = false,
  className,
  of,
  children,
  disabled = false,
  onClick,
  type = 'button',
  ...rest
}: Dress & { busy?: boolean } & ComponentProps<'button'>) {
  return (
    <button
      {...nameOf(children, of)}
      {...rest}
      type={type}
      disabled={disabled && !busy}
      aria-disabled={busy || undefined}
      aria-busy={busy}
      onClick={busy ? ignore : onClick}
      className={`${classesOf(look, size, className)} ${busy ? 'pointer-events-auto cursor-progress' : ''}`}
    >
      {busy && <span className="loading" aria-hidden="true" />}
      {children}
    </button>
  );
}

export function LinkButton({
  look = 'primary',
  size = 'normal',
  className,
  of,
  children,
  ...rest
}: Dress & LinkProps & { ref?: Ref<HTMLAnchorElement> }) {
  return (
    <Link {...nameOf(children, of)} {...rest} className={classesOf(look, size, className)}>
      {children}
    </Link>
  );
}
