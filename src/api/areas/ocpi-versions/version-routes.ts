// Versions and their modules (OCPI 2.2.1, 6.1 and 6.2).

import { Type } from 'typebox'
import { ocpiVersion, versionDetailsSchema, versionsSchema } from '../../../ocpi/schemas/version.js'
import { unsupportedVersion } from '../../surfaces/ocpi-errors.js'
import { endpoints, versionUrl } from './addresses.js'
import { area } from './area.js'

const listVersions = area.get('', {
  operationId: 'ocpiListVersions',
  summary: 'List the versions of OCPI that the service speaks',
  answer: versionsSchema,
  read: (_, { config }) => [{ version: ocpiVersion, url: versionUrl(config) }],
})

const getVersion = area.get('/{version}', {
  operationId: 'ocpiGetVersion',
  summary: 'Get the modules of a version, with their addresses',
  params: { version: Type.String({ maxLength: 16 }) },
  errors: [unsupportedVersion],
  answer: versionDetailsSchema,
  read({ params }, { config }) {
    if (params.version !== ocpiVersion)
      throw unsupportedVersion(`the service speaks version ${ocpiVersion} of OCPI only`)
    return { version: ocpiVersion, endpoints: endpoints(config) }
  },
})

export const ocpiVersionRoutes = [listVersions, getVersion]
