// What happened in a session, in the order of time, from everything that is stored of it.

import { useQuery } from '../../client/address.js'
import type { Schema } from '../../client/api.js'
import { timeText } from '../../client/format.js'
import { Chip } from '../../parts/chip.js'
import { Icon, type IconName } from '../../parts/icon.js'
import { Panel } from '../../parts/panel.js'
import { Glyph, stateOf } from '../../parts/state-glyph.js'
import { EmptyState } from '../../parts/states.js'

type Story = Schema<'SessionStory'>
type Entry = Story['entries'][number]

const sources: Readonly<Record<Entry['source'], { readonly name: string; readonly icon: IconName }>> = {
  session: { name: 'Session', icon: 'plug-zap' },
  status: { name: 'States', icon: 'plug' },
  command: { name: 'Commands', icon: 'send' },
  limit: { name: 'Limits', icon: 'gauge' },
  alert: { name: 'Alerts', icon: 'triangle-alert' },
  event: { name: 'Events', icon: 'radio' },
  billing: { name: 'Billing', icon: 'receipt-text' },
  dispute: { name: 'Disputes', icon: 'scale' },
  payment: { name: 'Payment', icon: 'credit-card' },
  audit: { name: 'People', icon: 'user' },
  message: { name: 'Messages', icon: 'message-square' },
}

export function StoryPanel({ of }: { readonly of: Story }) {
  const [source, setSource] = useQuery('source')
  const present = (Object.keys(sources) as Entry['source'][]).filter((one) =>
    of.entries.some((entry) => entry.source === one),
  )
  const shown = of.entries.filter((entry) => source === undefined || entry.source === source)
  return (
    <Panel
      title="What happened"
      hint="nothing is guessed"
      class="story"
      actions={
        present.length > 1 &&
        present.map((one) => (
          <Chip key={one} pressed={source === one} onClick={() => setSource(source === one ? undefined : one)}>
            {sources[one].name}
          </Chip>
        ))
      }
    >
      {shown.length === 0 ? (
        <EmptyState title="Nothing of this kind happened" />
      ) : (
        <ol>
          {shown.map((entry, at) => (
            <li key={at} data-source={entry.source}>
              <time class="mono" dateTime={entry.at}>
                {timeText(entry.at)}
              </time>
              {entry.source === 'status' ? (
                <Glyph state={stateOf(entry.name)} />
              ) : (
                <Icon name={sources[entry.source].icon} small />
              )}
              <b>{entry.title}</b>
              <span title={entry.reference ?? undefined}>{entry.detail ?? entry.name}</span>
            </li>
          ))}
        </ol>
      )}
      {(of.entries_left_out > 0 || !of.events_complete) && (
        <p class="left-out">
          {of.entries_left_out > 0 && `${of.entries_left_out} entries in the middle are left out. `}
          {!of.events_complete &&
            'Not all events of that time could be read: they are too many, or are no longer kept.'}
        </p>
      )}
    </Panel>
  )
}
