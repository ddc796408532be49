// From the address to the page: which one it is, its module when that has come, its frame, and what is shown where there is none.

import type { ComponentType } from 'preact'
import { useEffect, useErrorBoundary, useState } from 'preact/hooks'
import { matchRoute, Redirect, useLocation, useRouter } from 'wouter-preact'
import { asApiError } from '../client/resource.js'
import { ErrorState, LoadingState, NotAllowed, NotHere } from '../parts/states.js'
import {
  type FrameProps,
  frames,
  isOpen,
  isWithheld,
  type Page,
  type PageParams,
  type PageProps,
  pages,
  pathOf,
} from './pages.js'

type Loaded<Props> = ComponentType<Props> | Error | undefined

const modules = new Map<object, Promise<ComponentType<never>>>()
/** Those that have come: shown without waiting for a promise. */
const there = new Map<object, ComponentType<never>>()

function once<Props>(declared: object, load: () => Promise<ComponentType<Props>>): Promise<ComponentType<Props>> {
  const found = modules.get(declared) as Promise<ComponentType<Props>> | undefined
  if (found !== undefined) return found
  const loading = load()
  modules.set(declared, loading as Promise<ComponentType<never>>)
  // What has failed is asked for again.
  loading.then(
    (module) => there.set(declared, module as ComponentType<never>),
    () => modules.delete(declared),
  )
  return loading
}

const loadPage = (page: Page) => once<PageProps>(page, async () => (await page.load()).Page)

/** Before it is opened: the pointer is on its way. */
export function preload(page: Page): void {
  loadPage(page).catch(() => undefined)
}

/** The page of this address, and what it shows first, while it is still being asked who is signed in. */
export function preloadHere(base: string): void {
  const path = window.location.pathname.slice(base.length)
  const segments = path.split('/')
  const found = pages.find((page) => {
    const wanted = page.path.split('/')
    return wanted.length === segments.length && wanted.every((one, at) => one.startsWith(':') || one === segments[at])
  })
  if (found === undefined) return
  preload(found)
  found.ahead?.().catch(() => undefined)
}

function useModule<Props>(declared: object | undefined, load: () => Promise<ComponentType<Props>>): Loaded<Props> {
  const [loaded, setLoaded] = useState<{ readonly of: object | undefined; readonly is: Loaded<Props> }>()
  const found = declared === undefined ? undefined : (there.get(declared) as ComponentType<Props> | undefined)
  useEffect(() => {
    let isWanted = true
    const take = (is: Loaded<Props>) => isWanted && setLoaded({ of: declared, is })
    if (declared !== undefined && found === undefined)
      load().then(take, (error: unknown) => take(error instanceof Error ? error : new Error(String(error))))
    return () => {
      isWanted = false
    }
  }, [declared])
  return found ?? (loaded?.of === declared ? loaded?.is : undefined)
}

function useMatch(): { readonly page: Page; readonly params: PageParams } | undefined {
  const { parser, base } = useRouter()
  useLocation()
  // As it stands there: the router has decoded its own, but for what stands for a slash in a parameter.
  const location = window.location.pathname.slice(base.length) || '/'
  for (const page of pages) {
    const [matches, params] = matchRoute(parser, page.path, location)
    if (matches) return { page, params: decoded(params as PageParams) }
  }
  return undefined
}

function decoded(params: PageParams): PageParams {
  const one = (text: string): string => {
    try {
      return decodeURIComponent(text)
    } catch {
      return text
    }
  }
  return Object.fromEntries(Object.entries(params).map(([name, value]) => [name, one(value)]))
}

export function PageView() {
  const found = useMatch()
  const [location] = useLocation()
  useEffect(() => {
    document.title =
      found === undefined ? 'ampshard' : `${Object.values(found.params)[0] ?? found.page.title} · ampshard`
    document.getElementById('page')?.scrollTo(0, 0)
  }, [location])
  if (location === '/' || location === '') {
    const first = pages
      .filter((page) => page.navigation !== undefined && isOpen(page))
      .sort((one, other) => (one.navigation?.order ?? 0) - (other.navigation?.order ?? 0))[0]
    return first === undefined ? <NotHere /> : <Redirect to={first.path} replace />
  }
  if (found === undefined) return <NotHere />
  if (!isOpen(found.page)) {
    const { title, scopes = [] } = found.page
    return isWithheld(found.page) ? <NotAllowed title={title} scopes={scopes} /> : <NotHere />
  }
  return <Framed {...found} />
}

function Framed({ page, params }: { readonly page: Page; readonly params: PageParams }) {
  const frame = page.tab === undefined ? undefined : frames.get(page.tab.frame)
  const Around = useModule<FrameProps>(frame, async () => {
    if (frame === undefined) throw new Error('there is no frame')
    return await once(frame, async () => (await frame.load()).Frame)
  })
  const content = <Content key={`${page.path} ${Object.values(params).join(' ')}`} page={page} params={params} />
  if (frame === undefined) return content
  if (Around === undefined) return <LoadingState />
  if (Around instanceof Error) return <Unloaded error={Around} />
  const tabs = pages
    .filter((one) => one.tab?.frame === frame.name && isOpen(one))
    .sort((one, other) => (one.tab?.order ?? 0) - (other.tab?.order ?? 0))
    .map((one) => ({ name: one.tab?.name ?? one.title, href: pathOf(one.path, params), isCurrent: one === page }))
  return (
    <Around params={params} tabs={tabs}>
      {content}
    </Around>
  )
}

function Content({ page, params }: { readonly page: Page; readonly params: PageParams }) {
  const Loaded = useModule<PageProps>(page, () => loadPage(page))
  const [failure, again] = useErrorBoundary((error) => console.error(error))
  if (failure !== undefined) return <ErrorState error={asApiError(failure)} retry={again} />
  if (Loaded === undefined) return <LoadingState />
  if (Loaded instanceof Error) return <Unloaded error={Loaded} />
  return <Loaded params={params} />
}

/** Its module is not to be had: the service does not answer, or another version runs there now, whose files have other names. */
function Unloaded({ error }: { readonly error: Error }) {
  return <ErrorState error={asApiError(error)} retry={() => window.location.reload()} />
}
