// One deviation, read: what is done, what the standard says, and a message in which it was done, with the place marked.

import { Link } from 'wouter-preact'
import { momentText } from '../../client/format.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Facts } from '../../parts/facts.js'
import { Icon } from '../../parts/icon.js'
import { Panel } from '../../parts/panel.js'
import { type ModelDeviation, outcomeWords, placeWords, receivedWords, standardWords } from './words.js'

interface DeviationDetailProps {
  readonly deviation: Omit<ModelDeviation, 'charge_points' | 'example'> & {
    readonly example: Omit<ModelDeviation['example'], 'charge_point_id'>
  }
  /** Whose message the example is. */
  readonly chargePointId: string
  /** How many do it, in words. */
  readonly by: string
  readonly close: () => void
}

export function DeviationDetail({ deviation, chargePointId, by, close }: DeviationDetailProps) {
  const { meaning, outcome, example } = deviation
  return (
    <Panel
      class="deviation"
      title={placeWords(deviation)}
      padded
      actions={<Button kind="ghost" small icon="x" label="Close" onClick={close} />}
    >
      <div class="stack">
        <p>{meaning}</p>
        <Facts
          of={[
            { name: 'Standard', value: standardWords(deviation) },
            { name: 'Outcome', value: outcomeWords[outcome] },
            { name: 'Done by', value: by },
            { name: 'Example', value: `${chargePointId}, ${momentText(example.at)}` },
            { name: 'Received', value: <span class="mono">{receivedWords(example.received)}</span> },
          ].filter(({ name }) => name !== 'Received' || receivedWords(example.received) !== undefined)}
        />
        {example.frame === null ? (
          <p class="dim">Messages say who charges. This one is shown to members who may read messages.</p>
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard
          <pre class="json-view mono" tabIndex={0} role="region" aria-label="Example">
            {example.frame}
          </pre>
        )}
        {may('read:messages') && (
          <p>
            <Link href={`/charge-points/${encodeURIComponent(chargePointId)}/messages?kind=deviation`}>
              <Icon name="message-square" small /> Messages of {chargePointId} that deviate
            </Link>
          </p>
        )}
      </div>
    </Panel>
  )
}
