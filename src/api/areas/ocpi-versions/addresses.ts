// The addresses of the service's modules, as partners are told them (OCPI 2.2.1, 6).

import { type InterfaceRole, type ModuleId, ocpiVersion } from '../../../ocpi/schemas/version.js'
import type { ApiConfiguration } from '../../pipeline/services.js'

/** Every module, with the part that the service has in it. */
const modules: readonly (readonly [ModuleId, InterfaceRole])[] = [
  ['credentials', 'SENDER'],
  ['locations', 'SENDER'],
  ['sessions', 'SENDER'],
  ['cdrs', 'SENDER'],
  ['tariffs', 'SENDER'],
  ['commands', 'RECEIVER'],
  ['chargingprofiles', 'RECEIVER'],
  ['tokens', 'RECEIVER'],
  ['hubclientinfo', 'RECEIVER'],
]

/** What every path of a module begins with. */
export const modulePath = (module: ModuleId) => `/ocpi/cpo/${ocpiVersion}/${module}` as const

type Config = Pick<ApiConfiguration, 'apiUrl'>

export const versionsUrl = ({ apiUrl }: Config): string => `${apiUrl}/ocpi/versions`

export const versionUrl = (config: Config): string => `${versionsUrl(config)}/${ocpiVersion}`

export function endpoints({ apiUrl }: Config) {
  return modules.map(([identifier, role]) => ({ identifier, role, url: `${apiUrl}${modulePath(identifier)}` }))
}
