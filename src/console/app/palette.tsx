// Search, or go to: opened with Ctrl K. Pages come from their declarations; what else can be found is asked of those that `offer` it.

import './palette.css'
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import type { ApiError } from '../client/api.js'
import { asApiError } from '../client/resource.js'
import { useModal } from '../parts/dialog.js'
import { Icon } from '../parts/icon.js'
import { isOpen, pages } from './pages.js'
import { type PaletteItem, sources } from './palette-items.js'

function pageItems(text: string): readonly PaletteItem[] {
  const wanted = text.toLowerCase()
  return pages
    .filter((page) => page.navigation !== undefined && isOpen(page) && page.title.toLowerCase().includes(wanted))
    .map((page) => ({
      group: 'Go to',
      name: page.title,
      icon: page.navigation?.icon ?? 'arrow-right',
      href: page.path,
      ...(page.key !== undefined && { about: `g ${page.key}` }),
    }))
}

const patienceMs = 120

interface Found {
  /** What was looked for. */
  readonly text: string | undefined
  readonly items: readonly PaletteItem[]
  /** Why not everybody could be asked. */
  readonly error: ApiError | undefined
}

async function find(text: string, signal: AbortSignal): Promise<Found> {
  const asked = await Promise.allSettled([...sources].map(async (source) => await source(text, signal)))
  const failed = asked.find((one) => one.status === 'rejected')
  return {
    text,
    items: eachOnce(asked.flatMap((one) => (one.status === 'fulfilled' ? one.value : []))),
    error: failed === undefined ? undefined : asApiError(failed.reason),
  }
}

/** What several know of leads to one page. */
function eachOnce(items: readonly PaletteItem[]): readonly PaletteItem[] {
  const known = new Set<string>()
  return items.filter(({ href }) => href === undefined || (!known.has(href) && known.add(href)))
}

interface Items extends Pick<Found, 'error'> {
  readonly items: readonly PaletteItem[]
  /** More may come. */
  readonly isSearching: boolean
}

function useItems(text: string): Items {
  const [found, setFound] = useState<Found>({ text: undefined, items: [], error: undefined })
  useEffect(() => {
    const abort = new AbortController()
    const timer = setTimeout(
      async () => {
        const next = await find(text, abort.signal)
        if (!abort.signal.aborted) setFound(next)
      },
      text === '' ? 0 : patienceMs,
    )
    return () => {
      abort.abort()
      clearTimeout(timer)
    }
  }, [text])
  const isSearching = found.text !== text
  const items = useMemo(() => {
    // Of what was found for a shorter text, only what has the longer one as well: Enter opens nothing else.
    const wanted = text.toLowerCase()
    const still = isSearching ? found.items.filter(({ name }) => name.toLowerCase().includes(wanted)) : found.items
    const all = [...still, ...pageItems(text)]
    const order = [...new Set(all.map(({ group }) => group))]
    return all.sort((one, other) => order.indexOf(one.group) - order.indexOf(other.group))
  }, [found, text, isSearching])
  return { items, isSearching, error: isSearching ? undefined : found.error }
}

export function Palette({ close }: { readonly close: () => void }) {
  const [text, setText] = useState('')
  const [at, setAt] = useState(0)
  const [, navigate] = useLocation()
  const list = useId()
  const { items, isSearching, error } = useItems(text.trim())
  const chosen = Math.min(at, items.length - 1)
  /** Enter was pressed before anything was found. */
  const isHurried = useRef(false)

  useEffect(() => {
    document.getElementById(`${list}-${chosen}`)?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  useEffect(() => {
    if (isHurried.current && !isSearching) open(items[0])
  }, [isSearching, items])

  function open(item: PaletteItem | undefined, inNewTab = false): void {
    if (item === undefined) return
    close()
    if (item.act !== undefined) item.act()
    else if (item.href !== undefined && inNewTab) window.open(`/console${item.href}`, '_blank', 'noopener')
    else if (item.href !== undefined) navigate(item.href)
  }

  function onKeyDown(event: KeyboardEvent): void {
    const move = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 }[event.key]
    if (move !== undefined) setAt(Math.max(0, Math.min(items.length - 1, chosen + move)))
    else if (event.key === 'Enter') {
      isHurried.current = items.length === 0 && isSearching
      open(items[chosen], event.ctrlKey || event.metaKey)
    } else return
    event.preventDefault()
  }

  return (
    <dialog {...useModal(close)} class="palette" aria-label="Search or jump to">
      <div>
        <input
          value={text}
          onInput={(event) => {
            isHurried.current = false
            setText(event.currentTarget.value)
            setAt(0)
          }}
          onKeyDown={onKeyDown}
          placeholder="Type an id, a name or the page that you want"
          aria-label="Search or jump to"
          role="combobox"
          aria-expanded={items.length > 0}
          aria-controls={list}
          aria-activedescendant={items.length > 0 ? `${list}-${chosen}` : undefined}
          autocomplete="off"
          spellcheck={false}
        />
        <div id={list} role="listbox" aria-label="What was found">
          {items.map((item, index) => (
            <div key={`${item.group} ${item.name} ${item.href}`}>
              {items[index - 1]?.group !== item.group && (
                <p class="group" role="presentation">
                  {item.group}
                </p>
              )}
              <div
                id={`${list}-${index}`}
                class="item"
                role="option"
                tabIndex={-1}
                aria-selected={index === chosen}
                onClick={(event) => open(item, event.ctrlKey || event.metaKey)}
                onPointerMove={() => index !== chosen && setAt(index)}
              >
                <Icon name={item.icon} />
                <span class={item.isId ? 'mono' : ''}>{item.name}</span>
                <span class="about">{item.about}</span>
              </div>
            </div>
          ))}
        </div>
        {error !== undefined && (
          <p class="none" role="alert">
            Not everything could be searched: {error.message} <span class="mono">{error.code}</span>
          </p>
        )}
        {items.length === 0 && error === undefined && (
          <p class="none">
            {isSearching
              ? 'Searching…'
              : 'Nothing of this name. Ids of sessions, tags and commands have to be written from their beginning.'}
          </p>
        )}
        <footer aria-hidden="true">
          <span>
            <kbd>↑↓</kbd> choose
          </span>
          <span>
            <kbd>Enter</kbd> open
          </span>
          <span>
            <kbd>Ctrl Enter</kbd> new tab
          </span>
          <span>
            <kbd>Esc</kbd> close
          </span>
        </footer>
      </div>
    </dialog>
  )
}
