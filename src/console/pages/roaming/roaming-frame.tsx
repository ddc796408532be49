// What stands above every page about roaming.

import type { FrameProps } from '../../app/pages.js'
import { PageHead } from '../../parts/panel.js'
import { Tabs } from '../../parts/tabs.js'

export function Frame({ tabs, children }: FrameProps) {
  return (
    <>
      <PageHead title="Roaming" about="Providers and hubs that are connected over OCPI 2.2.1" />
      <Tabs label="Roaming" tabs={tabs} />
      {children}
    </>
  )
}
