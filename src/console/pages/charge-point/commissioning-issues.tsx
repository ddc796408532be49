// What the installer of the charge point has reported as wrong, and saying that it has been put right.

import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import { type Commissioning, type Issue, severityKinds, stepTitles } from './commissioning-words.js'

export function Issues({ data, reload }: { readonly data: Commissioning; readonly reload: () => void }) {
  const { charge_point_id, issues, open_issue_count: open } = data
  const [closed, setClosed] = useState<Issue>()
  return (
    <Panel title="Issues" hint={issues.length === 0 ? undefined : `${open} of ${issues.length} open`}>
      {issues.length === 0 ? (
        <EmptyState icon="circle-check" title="The installer has reported none" />
      ) : (
        <ul class="issues">
          {issues.map((issue) => (
            <li key={issue.issue_id}>
              <div class="row-of">
                <b class="mono">{issue.reference_number}</b>
                <Tag kind={severityKinds[issue.severity]}>{issue.severity}</Tag>
                <Tag>{issue.category.replaceAll('_', ' ')}</Tag>
                {issue.status === 'open' && may('write:charge_points') ? (
                  <Button small icon="check" label={`Close ${issue.reference_number}`} onClick={() => setClosed(issue)}>
                    Close
                  </Button>
                ) : (
                  <Tag kind={issue.status === 'open' ? 'warn' : 'ok'}>{issue.status}</Tag>
                )}
              </div>
              <p>{issue.description}</p>
              <p class="sub">
                Reported {momentText(issue.created_at)}
                {issue.step !== null && `, at the step: ${stepTitles[issue.step].toLowerCase()}`}
                {issue.closed_at !== null &&
                  `. Closed ${momentText(issue.closed_at)} by ${issue.closed_by === 'installer' ? 'the installer' : 'your organization'}`}
              </p>
              {issue.photo_urls.length > 0 && (
                <p class="row-of">
                  {issue.photo_urls.map((url, at) => (
                    <a key={url} class="link" href={url} target="_blank" rel="noreferrer noopener">
                      Photo {at + 1}
                    </a>
                  ))}
                </p>
              )}
            </li>
          ))}
        </ul>
      )}
      {closed !== undefined && (
        <Ask
          title={`Close ${closed.reference_number}?`}
          does="Close the issue"
          said={`${closed.reference_number} is closed.`}
          close={() => setClosed(undefined)}
          run={async () => {
            await ask(
              api.POST('/api/v1/chargepoints/{charge_point_id}/commissioning/issues/{issue_id}/close', {
                params: { path: { charge_point_id, issue_id: closed.issue_id } },
              }),
            )
            reload()
          }}
        >
          <p>
            It has been put right. It does not count as open any more, and the report shows it as closed. It is not
            opened again.
          </p>
        </Ask>
      )}
    </Panel>
  )
}
