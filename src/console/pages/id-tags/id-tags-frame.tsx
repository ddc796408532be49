// What stands above the lists of id tags.

import type { FrameProps } from '../../app/pages.js'
import { PageHead } from '../../parts/panel.js'
import { Tabs } from '../../parts/tabs.js'

export function Frame({ tabs, children }: FrameProps) {
  return (
    <>
      <PageHead title="Id tags" about="The cards, fobs and apps that may charge" />
      <Tabs label="Id tags" tabs={tabs} />
      {children}
    </>
  )
}
