// What stands above the lists of models and of templates.

import type { FrameProps } from '../../app/pages.js'
import { PageHead } from '../../parts/panel.js'
import { Tabs } from '../../parts/tabs.js'

export function Frame({ tabs, children }: FrameProps) {
  return (
    <>
      <PageHead title="Models" about="What charge points of a kind are like, and how they are configured" />
      <Tabs label="Models" tabs={tabs} />
      {children}
    </>
  )
}
