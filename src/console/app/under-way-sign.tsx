// What this tab is at, in the bar at the top: how far it is, and the way to the page that shows it. What has ended stays until it was looked at.

import { useEffect } from 'preact/hooks'
import { Link, useLocation, useSearch } from 'wouter-preact'
import { numberText } from '../client/format.js'
import { forget, underWay } from '../client/under-way.js'
import { Icon } from '../parts/icon.js'

export function UnderWaySign() {
  const all = underWay.value
  const [location] = useLocation()
  const search = useSearch()
  const here = `${location}?${search}`
  // Whoever has left the page that shows its end has seen it.
  useEffect(
    () => () => {
      for (const one of underWay.peek()) if (one.is === 'ended' && here.startsWith(one.href)) forget(one.id)
    },
    [here],
  )
  const [first] = all
  if (first === undefined) return null
  const shown = all.find(({ is }) => is === 'halted') ?? all.find(({ is }) => is === 'running') ?? first
  const { title, href, done, count, failed, is } = shown
  return (
    <Link
      class={`under-way ${is}`}
      href={href}
      title={is === 'running' ? 'It goes on while this tab is open.' : 'Show what they have answered.'}
    >
      <Icon
        name={is === 'running' ? 'hourglass' : is === 'halted' || failed > 0 ? 'triangle-alert' : 'circle-check'}
        small
      />
      <span>{title}</span>
      <b>
        {numberText(done)} of {numberText(count)}
      </b>
      {is === 'halted' && <small>waits for you</small>}
      {is !== 'halted' && failed > 0 && <small>{numberText(failed)} not accepted</small>}
      {all.length > 1 && <small>and {all.length - 1} more</small>}
    </Link>
  )
}
