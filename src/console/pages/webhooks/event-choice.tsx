// Which events an endpoint is sent: all, all of an area, or single ones, as the service names them.

import { api, ask } from '../../client/api.js'
import { useResource } from '../../client/resource.js'
import { Choices } from '../../parts/fields.js'
import { Loaded } from '../../parts/states.js'

interface Kind {
  readonly event: string
  readonly description: string
}

const areaOf = (event: string): string => `${event.split('.')[0]}.*`

export function EventChoice({
  chosen,
  choose,
}: {
  readonly chosen: readonly string[]
  readonly choose: (events: readonly string[]) => void
}) {
  const kinds = useResource(
    async (signal) => (await ask(api.GET('/api/v1/events/schemas', { signal }))).events as readonly Kind[],
    [],
  )
  const option = (name: string, about: string, isCovered: boolean) => (
    <label key={name}>
      <input
        type="checkbox"
        checked={isCovered || chosen.includes(name)}
        disabled={isCovered}
        onChange={({ currentTarget: { checked } }) =>
          choose(checked ? [...chosen, name] : chosen.filter((one) => one !== name))
        }
      />
      <span>
        <span class="mono">{name}</span>
        <span class="dim">{about}</span>
      </span>
    </label>
  )
  return (
    <details>
      <summary>Choose from all events</summary>
      <Loaded of={kinds} rows={3}>
        {(all) => (
          <>
            {option('*', 'Everything, also what a later version adds.', false)}
            {[...new Set(all.map(({ event }) => areaOf(event)))].map((area) => (
              <Choices key={area} name={area}>
                {option(area, 'All of these.', chosen.includes('*'))}
                {all
                  .filter(({ event }) => areaOf(event) === area)
                  .map(({ event, description }) =>
                    option(event, description, chosen.includes('*') || chosen.includes(area)),
                  )}
              </Choices>
            ))}
          </>
        )}
      </Loaded>
    </details>
  )
}
