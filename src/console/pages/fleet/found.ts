// What the palette finds in a fleet that has been read: charge points by a part of the id, the name or the address, which the service does not look for.

import { offer, type PaletteItem } from '../../app/palette-items.js'
import { fleet } from '../../client/fleet.js'
import { filterOf } from '../../client/fleet-filter.js'

const most = 8
const shortest = 2

function itemOf(row: number, id: string): PaletteItem {
  const site = fleet.sites.all[fleet.site[row] as number]
  const about = [fleet.names[row], fleet.addresses.all[fleet.address[row] as number] ?? site?.address]
  return {
    group: 'Charge points',
    name: id,
    isId: true,
    icon: 'plug-zap',
    about: about.filter((one) => one !== undefined && one !== '').join(' · '),
    href: `/charge-points/${encodeURIComponent(id)}`,
  }
}

function find(text: string): readonly PaletteItem[] {
  if (text.length < shortest) return []
  const { matches } = filterOf(JSON.stringify(text), fleet)
  const found: PaletteItem[] = []
  for (let row = 0; row < fleet.end && found.length < most; row++) {
    const id = fleet.ids[row]
    if (id !== undefined && matches(row)) found.push(itemOf(row, id))
  }
  return found
}

/** Also on the pages that are gone to from here: the fleet is kept for a while. */
offer(find)
