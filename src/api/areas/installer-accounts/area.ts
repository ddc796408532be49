// The areas of installers' accounts: what leads to one without a credential, and what its owner does with it.

import { defineArea } from '../../pipeline/area.js'
import { installer, installerEntrance } from '../../surfaces/installer.js'

const place = { tag: 'Installer accounts', path: '/api/v1/installer' } as const

export const entrance = defineArea(installerEntrance, {
  ...place,
  about: 'Accounts of field installers: sign up, log in, and show who you are.',
})

export const area = defineArea(installer, place)
