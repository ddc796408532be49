// The shell around every page: navigation at the side, on a phone below, and the bar at the top. It knows pages by their declarations alone.

import './shell.css'
import { useEffect, useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { useKeys } from '../client/keys.js'
import { me, nameOf, signOut } from '../client/session.js'
import { switchTheme, theme } from '../client/theme.js'
import { leave } from '../client/unsaved.js'
import { isPhone } from '../client/viewport.js'
import { Icon } from '../parts/icon.js'
import { Menu } from '../parts/menu.js'
import { offerFoundThings } from './found-things.js'
import { KeyHelp } from './key-help.js'
import { Leave } from './leave.js'
import { LiveSign } from './live-sign.js'
import { AllPages, Navigation } from './navigation.js'
import { PageView } from './page-view.js'
import { isOpen, pages } from './pages.js'
import { Palette } from './palette.js'
import { UnderWaySign } from './under-way-sign.js'

function Who() {
  const [, navigate] = useLocation()
  const now = me.value
  if (now === undefined) return null
  const name = nameOf(now)
  const role = now.member?.role ?? 'API key'
  const initials = name
    .split(/[\s@.]+/)
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('')
  return (
    <Menu
      label="Your session"
      button={
        <>
          <span class="avatar" aria-hidden="true">
            {initials}
          </span>
          <span class="who">
            <span>{name}</span>
            <small>
              {now.organization.name} · {role}
            </small>
          </span>
        </>
      }
      items={[
        { name: 'Account', icon: 'user', run: () => navigate('/account') },
        { name: 'Sign out', icon: 'log-out', run: () => leave(() => void signOut()) },
      ]}
    />
  )
}

export function Shell() {
  const [, navigate] = useLocation()
  const [isSearching, setSearching] = useState(false)
  const [isHelping, setHelping] = useState(false)
  const [isShowingAll, setShowingAll] = useState(false)
  useKeys([
    { keys: 'Ctrl k', does: 'Search, or go to a page', run: () => setSearching(true) },
    { keys: '?', does: 'Show what keys do', run: () => setHelping(true) },
    ...pages
      .filter((page) => page.key !== undefined && isOpen(page))
      .map((page) => ({ keys: `g ${page.key}`, does: `Go to ${page.title}`, run: () => navigate(page.path) })),
  ])
  useEffect(offerFoundThings, [])
  const isDark = theme.value === 'dark'
  return (
    <div class="shell">
      <a class="skip" href="#page">
        Skip to the page
      </a>
      <Navigation showAll={() => setShowingAll(true)} />
      <header class="top">
        <button type="button" class="jump" onClick={() => setSearching(true)}>
          <Icon name="search" small />
          <span>Search or jump to…</span>
          <kbd>Ctrl K</kbd>
        </button>
        <UnderWaySign />
        <LiveSign />
        <button
          type="button"
          class="button ghost square"
          aria-label={isDark ? 'Switch to the light theme' : 'Switch to the dark theme'}
          onClick={switchTheme}
        >
          <Icon name={isDark ? 'sun' : 'moon'} />
        </button>
        <button
          type="button"
          class="button ghost square help"
          aria-label="What keys do"
          onClick={() => setHelping(true)}
        >
          <Icon name="circle-question-mark" />
        </button>
        <Who />
      </header>
      <main id="page" tabIndex={-1}>
        <PageView />
      </main>
      {isSearching && <Palette close={() => setSearching(false)} />}
      {isShowingAll && isPhone.value && <AllPages close={() => setShowingAll(false)} />}
      {isHelping && <KeyHelp close={() => setHelping(false)} />}
      <Leave />
    </div>
  )
}
