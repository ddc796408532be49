// Passkeys in this browser. The library is fetched when somebody uses one.

import { ApiError, api, ask, request } from './api.js'

/** Browsers have them for names, and not for addresses such as 127.0.0.1. */
export function canUsePasskeys(): boolean {
  const isName = !/^(?:\d+(?:\.\d+){3}|\[.*\])$/.test(location.hostname)
  return isName && isSecureContext && 'PublicKeyCredential' in window
}

/** What somebody does who closes the browser's window; it is no error of the page. */
function asRefused(error: unknown): ApiError {
  if (error instanceof ApiError) return error
  const name = error instanceof Error ? error.name : ''
  const message =
    name === 'InvalidStateError'
      ? 'This device has a passkey of yours already.'
      : 'No passkey was used: the window was closed, or this device has none for this address.'
  return new ApiError(0, 'no_passkey', message, undefined, undefined)
}

/** What POST /console/session takes as `passkey`. Throws an ApiError. */
export async function signWithPasskey(): Promise<object> {
  const { startAuthentication } = await import('@simplewebauthn/browser')
  const optionsJSON = await request<Parameters<typeof startAuthentication>[0]['optionsJSON']>(
    'POST',
    '/api/v1/console/passkeys/challenge',
  )
  try {
    const { id, response } = await startAuthentication({ optionsJSON })
    return { id, response }
  } catch (error) {
    throw asRefused(error)
  }
}

/** Throws an ApiError. */
export async function makePasskey(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser')
  const optionsJSON = await ask(api.POST('/api/v1/console/passkeys/options'))
  let made: Awaited<ReturnType<typeof startRegistration>>
  try {
    made = await startRegistration({ optionsJSON } as Parameters<typeof startRegistration>[0])
  } catch (error) {
    throw asRefused(error)
  }
  const { id, response } = made
  const { clientDataJSON, attestationObject, transports } = response
  const credential = { id, response: { clientDataJSON, attestationObject, transports: transports ?? [] } }
  await ask(api.POST('/api/v1/console/passkeys', { body: { name, credential } }))
}
