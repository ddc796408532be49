// A menu: a button that opens a few things to do. The arrows move in it, Escape closes it.

import './menu.css'
import type { ComponentChildren } from 'preact'
import { useId, useRef } from 'preact/hooks'
import { Icon, type IconName } from './icon.js'
import { toast } from './toast.js'

export interface MenuItem {
  readonly name: string
  readonly icon?: IconName
  readonly kind?: 'danger'
  /** Why it cannot be done now, as a sentence: it is said where it is pressed all the same. */
  readonly whyNot?: string | undefined
  readonly run: () => void
}

export interface MenuProps {
  /** Of what it offers; also of its button, where that shows no words. */
  readonly label: string
  readonly button: ComponentChildren
  readonly isWordless?: boolean
  readonly items: readonly MenuItem[]
  /** Of the button; it looks as a `Button` with 'button'. */
  readonly class?: string
}

export function Menu({ label, button, items, isWordless = false, ...rest }: MenuProps) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const opener = useRef<HTMLButtonElement>(null)

  function place(): void {
    const menu = list.current
    const at = opener.current?.getBoundingClientRect()
    if (menu === null || at === undefined) return
    menu.style.top = `${Math.min(at.bottom + 4, innerHeight - menu.offsetHeight - 8)}px`
    menu.style.left = `${Math.max(8, Math.min(at.right - menu.offsetWidth, innerWidth - menu.offsetWidth - 8))}px`
  }

  function onToggle(event: Pick<ToggleEvent, 'newState'>): void {
    if (event.newState !== 'open') return
    place()
    list.current?.querySelector<HTMLElement>('[role=menuitem]')?.focus()
  }

  function onKeyDown(event: KeyboardEvent): void {
    const all = [...(list.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = all.indexOf(document.activeElement as HTMLElement)
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key]
    if (event.key === 'Tab') close()
    if (next === undefined) return
    event.preventDefault()
    all[(next + all.length) % all.length]?.focus()
  }

  function close(): void {
    list.current?.hidePopover()
    opener.current?.focus()
  }

  return (
    <>
      <button
        ref={opener}
        type="button"
        class={rest.class ?? 'menu-button'}
        popovertarget={id}
        aria-label={isWordless ? label : undefined}
        aria-haspopup="menu"
      >
        {button}
      </button>
      <div
        ref={list}
        id={id}
        class="menu"
        popover="auto"
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onToggle={onToggle}
        onKeyDown={onKeyDown}
      >
        {items.map((item) => (
          <button
            key={item.name}
            type="button"
            role="menuitem"
            class={item.kind ?? ''}
            aria-disabled={item.whyNot === undefined ? undefined : true}
            onClick={() => {
              close()
              if (item.whyNot === undefined) item.run()
              else toast(item.whyNot, 'failed')
            }}
          >
            {item.icon !== undefined && <Icon name={item.icon} small />}
            {item.name}
          </button>
        ))}
      </div>
    </>
  )
}
