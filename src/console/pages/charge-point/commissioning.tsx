// How an installer has commissioned the charge point: by whom, each step with its evidence, the report, and what was found wrong.

import './commissioning.css'
import './two-sided.css'
import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { Facts } from '../../parts/facts.js'
import { Icon } from '../../parts/icon.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { Issues } from './commissioning-issues.js'
import {
  type Commissioning,
  type CommissioningSession,
  differing,
  type Evidence,
  evidenceText,
  sessionWords,
  stepDetail,
  stepTitles,
} from './commissioning-words.js'
import { useHere } from './here.js'
import { Ladder, outcomeWords } from './ladder.js'

export function Page() {
  const { id } = useHere()
  const commissioning = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/chargepoints/{charge_point_id}/commissioning', {
          params: { path: { charge_point_id: id } },
          signal,
        }),
      ),
    [id],
    { everySeconds: 5 },
  )
  return (
    <Loaded of={commissioning}>
      {(data) =>
        data.installer === null && data.session === null && data.issues.length === 0 ? (
          <Panel>
            <EmptyState icon="wrench" title="No installer has commissioned it">
              <span>
                Where an installer registers a charge point in the app and an organization claims it, the steps of its
                commissioning, their evidence and the issues that were reported stand here.
              </span>
            </EmptyState>
          </Panel>
        ) : (
          <div class="two-sided">
            <div class="stack">
              <Steps id={id} session={data.session} />
              <Issues data={data} reload={commissioning.reload} />
            </div>
            <Installer data={data} reload={commissioning.reload} />
          </div>
        )
      }
    </Loaded>
  )
}

function Steps({ id, session }: { readonly id: string; readonly session: CommissioningSession | null }) {
  if (session === null)
    return (
      <Panel title="Commissioning">
        <EmptyState icon="list-checks" title="No commissioning has been started" />
      </Panel>
    )
  const { status, result, session_id, started_at, completed_at, steps } = session
  const [words, kind] = sessionWords[status]
  return (
    <Panel
      title="Commissioning"
      hint={`Begun ${momentText(started_at)}${completed_at === null ? '' : `, ended ${momentText(completed_at)}`}`}
      actions={
        <>
          {result === null ? (
            <Tag kind={kind}>{words}</Tag>
          ) : (
            <Tag kind={result === 'passed' ? 'ok' : 'bad'}>{result}</Tag>
          )}
          {status !== 'running' && status !== 'paused' && (
            <a
              class="button plain small"
              href={`/api/v1/chargepoints/${encodeURIComponent(id)}/commissioning/report?session_id=${session_id}`}
              target="_blank"
              rel="noreferrer"
            >
              <Icon name="download" small />
              Report (PDF)
            </a>
          )}
        </>
      }
    >
      <Ladder
        rungs={steps.map((step) => ({
          id: step.name,
          outcome: step.status,
          title: stepTitles[step.name],
          read: outcomeWords[step.status],
          detail: (
            <>
              {stepDetail(step)}
              {step.evidence.length > 0 && <Proofs of={step.evidence} />}
            </>
          ),
        }))}
      />
    </Panel>
  )
}

function Proofs({ of }: { readonly of: readonly Evidence[] }) {
  return (
    <details class="evidence">
      <summary>{of.length === 1 ? 'What was sent' : `${of.length} things that were sent`}</summary>
      <ul>
        {of.map((one, at) => (
          <li key={at}>
            <span class="dim">{momentText(one.sent_at)}</span> {evidenceText(one)}
            {differing(one).map(({ key, wanted, reported, outcome }) => (
              <div key={key}>
                <span class="mono">{key}</span> was to be <span class="mono">{wanted}</span>:{' '}
                {outcome === null ? 'not known' : outcome.replaceAll('_', ' ')}
                {reported !== null && (
                  <>
                    , it says <span class="mono">{reported}</span>
                  </>
                )}
              </div>
            ))}
          </li>
        ))}
      </ul>
    </details>
  )
}

function Installer({ data, reload }: { readonly data: Commissioning; readonly reload: () => void }) {
  const { charge_point_id, installer, commissioned_at, ended_at } = data
  const [isEnding, setEnding] = useState(false)
  const isOver = commissioned_at !== null || ended_at !== null
  const name = installer === null ? 'its installer' : `${installer.name} of ${installer.company}`
  return (
    <Panel
      title="Installer"
      padded
      actions={
        !isOver &&
        may('write:charge_points') && (
          <Button small icon="ban" onClick={() => setEnding(true)}>
            End its part
          </Button>
        )
      }
    >
      <Facts
        of={[
          { name: 'Company', value: installer === null ? 'the account is not there any more' : installer.company },
          { name: 'Name', value: installer?.name },
          {
            name: 'Commissioned',
            value: commissioned_at === null ? 'not declared' : `declared ${momentText(commissioned_at)}`,
          },
          {
            name: 'Its part',
            value: ended_at === null ? (isOver ? 'is over' : 'is not over') : `ended ${momentText(ended_at)}`,
          },
        ]}
      />
      {isEnding && (
        <Ask
          title="End the installer's part?"
          does="End it"
          said="The installer's part has ended."
          danger
          close={() => setEnding(false)}
          run={async () => {
            const params = { path: { charge_point_id } }
            await ask(api.DELETE('/api/v1/chargepoints/{charge_point_id}/installer', { params }))
            reload()
          }}
        >
          <p>
            From then on, {name} can neither commission nor test {charge_point_id}, and does not see how it is. A
            commissioning that runs is stopped, with its test transaction. Nobody can take this back.
          </p>
          <p>
            Certificates that the installer has had issued stay good: revoke those that you do not trust under Security.
          </p>
        </Ask>
      )}
    </Panel>
  )
}
