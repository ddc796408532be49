// A button: 30 px high, 26 where it is small, 40 on phones. Without words it has a label.

import './button.css'
import type { ComponentChildren, Ref } from 'preact'
import { Icon, type IconName } from './icon.js'

export interface ButtonProps {
  readonly children?: ComponentChildren
  /** What it does, where it shows no words. */
  readonly label?: string
  readonly icon?: IconName
  readonly kind?: 'primary' | 'plain' | 'ghost' | 'danger'
  readonly small?: boolean
  readonly type?: 'button' | 'submit'
  /** The id of the form that it submits, where it stands outside of it. */
  readonly form?: string
  readonly disabled?: boolean
  /** What it does is under way: it keeps the focus, and is pressed in vain. */
  readonly busy?: boolean
  readonly title?: string
  /** For what is switched on and off. */
  readonly pressed?: boolean
  readonly onClick?: (event: MouseEvent) => void
  readonly buttonRef?: Ref<HTMLButtonElement>
}

export function Button({
  children,
  label,
  icon,
  kind = 'plain',
  small,
  type = 'button',
  busy,
  pressed,
  buttonRef,
  ...rest
}: ButtonProps) {
  const classes = ['button', kind, small === true && 'small', children === undefined && 'square']
  return (
    <button
      {...rest}
      ref={buttonRef ?? null}
      type={type}
      class={classes.filter(Boolean).join(' ')}
      aria-label={label}
      aria-pressed={pressed}
      aria-busy={busy}
    >
      {icon !== undefined && <Icon name={icon} small={small === true} />}
      {children}
    </button>
  )
}
