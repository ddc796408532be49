// A button: 30 px high, 26 where it is small, 44 on phones. Without words it has a label.

import './button.css'
import type { ComponentChildren, Ref } from 'preact'
import { Icon, type IconName } from './icon.js'
import { toast } from './toast.js'

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
  /** Why it cannot be pressed now, as a sentence. It keeps its place for the keyboard, and says so where it is pressed all the same, or Enter in its form. */
  readonly whyNot?: string | undefined
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
  whyNot,
  title,
  onClick,
  ...rest
}: ButtonProps) {
  const classes = ['button', kind, small === true && 'small', children === undefined && 'square']
  return (
    <button
      {...rest}
      title={whyNot ?? title}
      onClick={
        whyNot === undefined
          ? onClick
          : (event) => {
              event.preventDefault()
              toast(whyNot, 'failed')
            }
      }
      aria-disabled={whyNot === undefined ? undefined : true}
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
