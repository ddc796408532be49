// The sign of the streams in the bar at the top: whether what is seen is live, and how old the newest of it is.

import { useEffect, useState } from 'preact/hooks'
import { durationText } from '../client/format.js'
import { liveStreams } from '../client/live.js'

const lookEveryMs = 1_000

export function LiveSign() {
  const streams = [...liveStreams.value.values()]
  const [now, setNow] = useState(Date.now)
  const isOpen = streams.length > 0
  useEffect(() => {
    if (!isOpen) return undefined
    const timer = setInterval(() => setNow(Date.now()), lookEveryMs)
    return () => clearInterval(timer)
  }, [isOpen])
  if (!isOpen) return null
  const isCut = streams.some(({ state }) => state === 'cut')
  const newest = Math.max(...streams.map(({ at }) => at ?? 0))
  const isLive = streams.every(({ state }) => state === 'live')
  return (
    <span
      class={isCut ? 'live cut' : isLive ? 'live' : 'live waiting'}
      title="Changes arrive over one stream. The figure is the age of the newest one."
    >
      <i />
      {isCut ? (
        <span>
          Cut<span class="more">, trying again</span>
        </span>
      ) : isLive ? (
        'Live'
      ) : (
        'Connecting'
      )}
      {newest > 0 && <small>{durationText(Math.max(0, now - newest) / 1_000)}</small>}
    </span>
  )
}
