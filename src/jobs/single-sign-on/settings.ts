// The settings of single sign-on: whether they belong together, said before somebody fails on them.

import { parseUrl } from '../../runtime/parse-url.js'
import { SettingsError } from '../../runtime/settings-error.js'
import type { Settings } from '../../settings.js'

type Given = Pick<Settings, 'oidc_issuer' | 'oidc_client_id' | 'oidc_client_secret' | 'oidc_name'>

const loopback = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

/** Whether what is said to the provider cannot leave this machine. */
export function isLoopback(url: URL): boolean {
  return loopback.test(url.hostname)
}

/** Throws one line that names the flag. */
export function checkSingleSignOn(settings: Given): void {
  const { oidc_issuer: issuer, oidc_client_id: clientId, oidc_client_secret: secret, oidc_name: name } = settings
  if (issuer === undefined) {
    const [alone] = [clientId && '--oidc-client-id', secret && '--oidc-client-secret', name && '--oidc-name'].filter(
      Boolean,
    )
    if (alone !== undefined) throw new SettingsError(`${alone} needs --oidc-issuer, the identity provider`)
    return
  }
  const url = parseUrl(issuer)
  if (url === undefined || (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url))))
    throw new SettingsError('--oidc-issuer must be a URL that begins with https:// (http:// only on this machine)')
  if (clientId === undefined)
    throw new SettingsError('--oidc-issuer needs --oidc-client-id, under which the provider knows this installation')
}

/** What people read on the button; undefined without a provider. */
export function nameOfProvider({ oidc_issuer: issuer, oidc_name: name }: Given): string | undefined {
  return issuer === undefined ? undefined : (name ?? parseUrl(issuer)?.hostname)
}
