// What a page is, and all that there are: each is declared once with `definePage` in a file `page.ts` of its own folder in src/console/pages. The router, the
// navigation, the palette and the tests of every page follow from these declarations.

import type { ComponentType } from 'preact'
import { hasFeature, may } from '../client/session.js'
import type { IconName } from '../parts/icon-names.js'

export type PageParams = Readonly<Record<string, string>>

export interface PageProps {
  /** What stands in the path, decoded. */
  readonly params: PageParams
}

export const groups = ['Operate', 'Money', 'System'] as const

export interface Page {
  /** Below /console; `:name` is a segment that the page is told: '/sessions/:session_id'. */
  readonly path: `/${string}`
  readonly title: string
  /** Where it is in the navigation; absent for what is reached from elsewhere. */
  readonly navigation?: {
    readonly group: (typeof groups)[number]
    readonly order: number
    readonly icon: IconName
    /** The beginnings of the paths of other pages that belong to it, and are reached through it. */
    readonly holds?: readonly string[]
    /** On a phone, the bar at the foot has room for four, beside the entry that shows all. */
    readonly phone?: boolean
  }
  /** The letter that leads here after `g`. */
  readonly key?: string
  /** Any of them suffices. Without it, whoever is signed in may see it. */
  readonly scopes?: readonly string[]
  /** What `GET /console/me` has to name among the features. */
  readonly feature?: string
  /** The frame around it, and its place among the tabs there. */
  readonly tab?: { readonly frame: string; readonly order: number; readonly name: string }
  /** The module that has its component; it is fetched when the page is opened. */
  readonly load: () => Promise<{ readonly Page: ComponentType<PageProps> }>
  /** Asks for what its rows are waiting for, where the console is opened here: while it is still being asked who is signed in. */
  readonly ahead?: () => Promise<void>
}

/** What several pages have around them: a head and the tabs that lead to each of them. Declared with `defineFrame` in a `frame.ts`. */
export interface Frame {
  readonly name: string
  readonly load: () => Promise<{ readonly Frame: ComponentType<FrameProps> }>
}

export interface FrameProps extends PageProps {
  /** Those of the pages in it that may be seen, in their order. */
  readonly tabs: readonly FrameTab[]
  readonly children: preact.ComponentChildren
}

export interface FrameTab {
  readonly name: string
  readonly href: string
  readonly isCurrent: boolean
}

export function definePage(page: Page): Page {
  return page
}

export function defineFrame(frame: Frame): Frame {
  return frame
}

const declared = import.meta.glob<{ readonly page: Page }>('../pages/**/page.ts', { eager: true })
const declaredTabs = import.meta.glob<{ readonly page: Page }>('../pages/**/*-tab.ts', { eager: true })
const declaredFrames = import.meta.glob<{ readonly frame: Frame }>('../pages/**/frame.ts', { eager: true })

const parametersIn = (path: string): number => path.split('/:').length - 1

/** What is named exactly comes before what takes any name. */
export const pages: readonly Page[] = [...Object.values(declared), ...Object.values(declaredTabs)]
  .map(({ page }) => page)
  .sort((one, other) => parametersIn(one.path) - parametersIn(other.path))

export const frames: ReadonlyMap<string, Frame> = new Map(
  Object.values(declaredFrames).map(({ frame }) => [frame.name, frame]),
)

/** Whether whoever is signed in sees it. */
export function isOpen({ scopes, feature }: Page): boolean {
  return (scopes === undefined || scopes.some(may)) && (feature === undefined || hasFeature(feature))
}

/** Whether it is there, for others than whoever is signed in. */
export function isWithheld({ scopes, feature }: Page): boolean {
  return scopes !== undefined && !scopes.some(may) && (feature === undefined || hasFeature(feature))
}

/** The path of a page, with what stands in the place of its parameters. */
export function pathOf(path: string, params: PageParams = {}): string {
  return path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}
