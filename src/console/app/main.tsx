// The console starts here: theme, keyboard, who is signed in, and the shell.

import '../theme/tokens.css'
import '../theme/base.css'
import { render } from 'preact'
import { Router } from 'wouter-preact'
import { startKeys } from '../client/keys.js'
import { asApiError } from '../client/resource.js'
import { loadSession, session, signIn } from '../client/session.js'
import { startTheme } from '../client/theme.js'
import { watchLeaving } from '../client/unsaved.js'
import { toast } from '../parts/toast.js'
import { App } from './app.js'
import { preloadHere } from './page-view.js'
import { signInText, takeReturned } from './sign-in-ways.js'

/** Whoever comes back from the identity provider is signed in first. */
async function begin(): Promise<void> {
  const returned = takeReturned()
  if (returned === undefined) return loadSession()
  history.replaceState(null, '', returned.path.startsWith('/console') ? returned.path : '/console')
  try {
    const toChoose = await signIn(returned.by)
    if (toChoose !== undefined) session.value = { is: 'signed-out', ended: false, toChoose }
    else if (returned.isAgain) toast('You have signed in again. Do once more what you were about to do.', 'done')
  } catch (error) {
    toast(signInText(asApiError(error), asApiError(error).message), 'failed')
    await loadSession()
  }
}

const base = '/console'
startTheme()
startKeys()
watchLeaving()
void begin()
preloadHere(base)
const root = document.getElementById('app')
if (root !== null)
  render(
    <Router base={base}>
      <App />
    </Router>,
    root,
  )
