// What the service finds by a text, for the palette: charge points, sessions, tags, commands and alerts, each with the page that shows it.

import { api, ask, type Schema } from '../client/api.js'
import { momentText } from '../client/format.js'
import { may } from '../client/session.js'
import type { IconName } from '../parts/icon-names.js'
import { offer, type PaletteItem } from './palette-items.js'

type Hit = Schema<'SearchHit'>

interface Shown {
  readonly group: string
  readonly icon: IconName
  /** Where it is shown. */
  readonly hrefOf: (hit: Hit) => string
}

const chargePoint = (id: string | null): string => `/charge-points/${encodeURIComponent(id ?? '')}`

const shown: Readonly<Record<Hit['type'], Shown>> = {
  charge_point: { group: 'Charge points', icon: 'plug-zap', hrefOf: ({ id }) => chargePoint(id) },
  session: { group: 'Sessions', icon: 'battery-charging', hrefOf: ({ id }) => `/sessions/${id}` },
  id_tag: { group: 'Id tags', icon: 'tag', hrefOf: ({ id }) => `/id-tags/${encodeURIComponent(id)}` },
  command: {
    group: 'Commands',
    icon: 'send',
    hrefOf: ({ id, charge_point_id }) => `${chargePoint(charge_point_id)}/commands?command=${id}`,
  },
  alert: { group: 'Alerts', icon: 'bell', hrefOf: ({ id }) => `/alerts?status=all&alert=${id}` },
}

function itemOf(hit: Hit): PaletteItem {
  const { group, icon, hrefOf } = shown[hit.type]
  const about = [
    hit.name,
    hit.type === 'charge_point' ? null : hit.charge_point_id,
    hit.transaction_id === null ? null : `transaction ${hit.transaction_id}`,
    hit.at === null ? null : momentText(hit.at),
    hit.status,
  ]
  return {
    group,
    name: hit.id,
    isId: true,
    icon,
    about: about.filter((one) => one !== null).join(' · '),
    href: hrefOf(hit),
  }
}

/** Texts shorter than this begin too many ids. */
const shortest = 2

/** From now on, what the service finds is in the palette. */
export function offerFoundThings(): () => void {
  return offer(async (text, signal) => {
    if (text.length < shortest || !(may('read:charge_points') || may('read:sessions'))) return []
    const { data } = await ask(api.GET('/api/v1/search', { params: { query: { q: text.slice(0, 64) } }, signal }))
    return data.map(itemOf)
  })
}
