// A field that proposes what may stand in it: the arrows choose, Enter takes, Escape leaves what was typed.

import './combobox.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useId, useRef, useState } from 'preact/hooks'
import { useChanged } from './changed.js'

export interface Option {
  readonly value: string
  /** What is shown; the value where nothing is said. */
  readonly name?: ComponentChildren
  readonly about?: string
}

export interface ComboboxProps {
  readonly label: string
  readonly hideLabel?: boolean
  readonly value: string
  readonly onChange: (value: string) => void
  /** What is proposed for a text; a few. */
  readonly propose: (text: string) => readonly Option[] | Promise<readonly Option[]>
  /** One was taken, or Enter pressed on what was typed. */
  readonly onTake?: (value: string) => void
  readonly placeholder?: string
  readonly mono?: boolean
  /** Escape, Enter or the arrow down, where it has nothing to propose: whoever typed goes on to what was found. */
  readonly onLeave?: () => void
  readonly inputRef?: { current: HTMLInputElement | null }
}

export function Combobox({
  label,
  hideLabel,
  value,
  onChange,
  propose,
  onTake,
  placeholder,
  mono,
  onLeave,
  inputRef,
}: ComboboxProps) {
  const id = useId()
  const [options, setOptions] = useState<readonly Option[]>([])
  const [at, setAt] = useState(-1)
  const [isOpen, setOpen] = useState(false)
  const asked = useRef(0)

  useEffect(() => {
    if (!isOpen) return
    const mine = ++asked.current
    void Promise.resolve(propose(value)).then((found) => {
      if (mine !== asked.current) return
      setOptions(found)
      setAt(-1)
    })
  }, [value, isOpen])

  const isShown = isOpen && options.length > 0

  function take(option: Option | undefined): void {
    setOpen(false)
    if (option !== undefined) onChange(option.value)
    onTake?.(option?.value ?? value)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event
    const leaves = isShown ? key === 'Enter' && at < 0 : ['Enter', 'Escape', 'ArrowDown'].includes(key)
    if (leaves && key === 'Enter') take(undefined)
    if (leaves && onLeave !== undefined) onLeave()
    else if (key === 'ArrowDown' || key === 'ArrowUp') {
      setOpen(true)
      setAt(Math.max(-1, Math.min(options.length - 1, at + (key === 'ArrowDown' ? 1 : -1))))
    } else if (key === 'Enter') {
      if (!leaves) take(options[at])
    } else if (key === 'Escape' && isShown) setOpen(false)
    else return
    event.preventDefault()
  }

  return (
    <div class="field combobox">
      <label for={id} class={hideLabel === true ? 'only-read' : ''}>
        {label}
      </label>
      <input
        {...useChanged(value)}
        ref={inputRef ?? null}
        id={id}
        type="text"
        class={mono === true ? 'mono' : ''}
        value={value}
        placeholder={placeholder}
        role="combobox"
        aria-expanded={isShown}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={isShown && at >= 0 ? `${id}-${at}` : undefined}
        autocomplete="off"
        spellcheck={false}
        onInput={(event) => {
          onChange(event.currentTarget.value)
          setOpen(true)
        }}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
        onKeyDown={onKeyDown}
      />
      <div id={`${id}-list`} role="listbox" aria-label={label} hidden={!isShown}>
        {isShown &&
          options.map((option, index) => (
            <div
              key={option.value}
              id={`${id}-${index}`}
              role="option"
              tabIndex={-1}
              aria-selected={index === at}
              onPointerDown={(event) => {
                event.preventDefault()
                take(option)
              }}
            >
              <span>{option.name ?? option.value}</span>
              {option.about !== undefined && <span class="dim">{option.about}</span>}
            </div>
          ))}
      </div>
    </div>
  )
}
