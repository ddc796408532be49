// How a place stands with roaming partners, what they are told of it as a form, and the location as they see it.

import type { ComponentChildren } from 'preact'
import { may } from '../../client/session.js'
import { type FormField, PageForm, useForm } from '../../parts/form.js'
import { JsonView } from '../../parts/json-view.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import { changedBy, type Place, valuesOf } from './place-fields.js'
import { Missing, Standing } from './standing.js'

interface PlacePanelsProps<Of extends Place> {
  readonly place: Of
  readonly fields: readonly FormField[]
  readonly save: (body: never) => Promise<unknown>
  readonly children?: ComponentChildren
}

export function PlacePanels<Of extends Place>({ place, fields, save, children }: PlacePanelsProps<Of>) {
  const form = useForm(fields, valuesOf(place))
  return (
    <>
      <Panel
        title={
          <>
            Roaming partners <Standing of={place} wanted={place.publish !== false} />
          </>
        }
        padded
      >
        <div class="stack">
          <Missing of={place.missing} assumed={place.assumed} />
          {may('write:ocpi') ? (
            <PageForm
              of={form}
              does="Save"
              said="Partners are told within a second or two."
              run={(values) => save(changedBy(place, values))}
            />
          ) : (
            <p class="dim">You may see what partners are told, and not change it.</p>
          )}
        </div>
      </Panel>
      {children}
      <Panel title="As partners see it" hint="or would see it" padded>
        {place.location === null ? (
          <EmptyState icon="network" title="There is nothing to show yet">
            <span>Set your party first, under Roaming.</span>
          </EmptyState>
        ) : (
          <JsonView value={place.location} label="The location in OCPI" />
        )}
      </Panel>
    </>
  )
}
