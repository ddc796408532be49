// The way to the pages: at the side, in their groups. On a phone it is at the foot, where a few of them have room, and More opens a sheet with all.

import './navigation.css'
import { Link, useLocation } from 'wouter-preact'
import { isPhone } from '../client/viewport.js'
import { Dialog } from '../parts/dialog.js'
import { Icon } from '../parts/icon.js'
import { Logo } from '../parts/logo.js'
import { preload } from './page-view.js'
import { groups, isOpen, type Page, pages } from './pages.js'

const isShown = (page: Page, location: string): boolean =>
  [page.path, ...(page.navigation?.holds ?? [])].some((path) => location === path || location.startsWith(`${path}/`))

function NavigationLink({ page, onClick }: { readonly page: Page; readonly onClick?: (() => void) | undefined }) {
  const [location] = useLocation()
  return (
    <Link
      href={page.path}
      class={page.navigation?.phone ? 'on-phone' : ''}
      title={page.title}
      aria-current={isShown(page, location) ? 'page' : undefined}
      onPointerEnter={() => preload(page)}
      onClick={onClick}
    >
      <Icon name={page.navigation?.icon ?? 'square'} />
      <span>{page.title}</span>
    </Link>
  )
}

const openPages = () => pages.filter((page) => page.navigation !== undefined && isOpen(page))

function Groups({ onClick }: { readonly onClick?: () => void }) {
  const open = openPages()
  return groups.map((group) => {
    const ofGroup = open
      .filter(({ navigation }) => navigation?.group === group)
      .sort((one, other) => (one.navigation?.order ?? 0) - (other.navigation?.order ?? 0))
    if (ofGroup.length === 0) return null
    return (
      <section key={group} aria-label={group}>
        <p class="group">{group}</p>
        {ofGroup.map((page) => (
          <NavigationLink key={page.path} page={page} onClick={onClick} />
        ))}
      </section>
    )
  })
}

export function Navigation({ showAll }: { readonly showAll: () => void }) {
  return (
    <nav class="navigation" aria-label="Main">
      <Link class="brand" href="/">
        <Logo />
        <span>ampshard</span>
      </Link>
      <Groups />
      {isPhone.value && <More onClick={showAll} />}
    </nav>
  )
}

function More({ onClick }: { readonly onClick: () => void }) {
  const [location] = useLocation()
  const isElsewhere = openPages().some((page) => page.navigation?.phone !== true && isShown(page, location))
  return (
    <button type="button" aria-haspopup="dialog" aria-current={isElsewhere ? 'true' : undefined} onClick={onClick}>
      <Icon name="menu" />
      <span>More</span>
    </button>
  )
}

export function AllPages({ close }: { readonly close: () => void }) {
  return (
    <Dialog title="All pages" sheet close={close}>
      <nav class="all-pages" aria-label="All pages">
        <Groups onClick={close} />
      </nav>
    </Dialog>
  )
}
