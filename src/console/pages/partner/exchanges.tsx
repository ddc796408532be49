// The log of a roaming partner: each exchange in both directions, with request and answer side by side.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { latencyText, millisecondText, momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Tag } from '../../parts/chip.js'
import { Dialog } from '../../parts/dialog.js'
import { Facts } from '../../parts/facts.js'
import { JsonView } from '../../parts/json-view.js'
import { List } from '../../parts/list.js'
import { usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'
import { usePartner } from './here.js'

type Exchange = Schema<'RoamingExchange'>
type Side = Exchange['request']

const perPage = 50

const directions = { in: 'from the partner', out: 'to the partner' } as const

function Outcome({ of: { answer, error } }: { readonly of: Exchange }) {
  if (answer === null) return <Tag kind="bad">no answer</Tag>
  const isWell = error === null && answer.status < 400 && (answer.status_code ?? 1000) < 2000
  return (
    <Tag kind={isWell ? 'ok' : 'bad'} {...(error !== null && { title: error })}>
      {answer.status_code === null ? `HTTP ${answer.status}` : answer.status_code}
    </Tag>
  )
}

const columns: readonly Column<Exchange>[] = [
  {
    id: 'at',
    name: 'When',
    width: '120px',
    cell: ({ at }) => <span title={momentText(at)}>{millisecondText(at)}</span>,
  },
  { id: 'direction', name: 'Call', width: '120px', wideOnly: true, cell: ({ direction }) => directions[direction] },
  {
    id: 'what',
    name: 'What',
    width: 'minmax(140px, 1fr)',
    cell: ({ method, module }) => `${method} ${module}`,
  },
  { id: 'outcome', name: 'Answer', width: '100px', cell: (row) => <Outcome of={row} /> },
  {
    id: 'error',
    name: 'What went wrong',
    width: 'minmax(140px, 1.6fr)',
    wideOnly: true,
    cell: ({ error }) => <span title={error ?? ''}>{error}</span>,
  },
  {
    id: 'ms',
    name: 'Took',
    width: '80px',
    align: 'end',
    wideOnly: true,
    cell: ({ milliseconds }) => latencyText(milliseconds),
  },
]

export function Page() {
  const { id } = usePartner()
  const [page] = usePage()
  const [shown, setShown] = useState<Exchange>()
  const exchanges = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/ocpi/partners/{partner_id}/exchanges', {
          params: { path: { partner_id: id }, query: { page, per_page: perPage } },
          signal,
        }),
      ),
    [id, page],
    { everySeconds: 5 },
  )
  return (
    <>
      <Panel
        title="Exchanges"
        hint="Everything that failed or changed something; of what goes well again and again, one in ten seconds"
        class="fills"
      >
        <List
          label="Exchanges"
          of={exchanges}
          perPage={perPage}
          columns={columns}
          keyOf={({ at, method, url, milliseconds }) => `${at} ${method} ${url} ${milliseconds}`}
          open={setShown}
          empty={
            <EmptyState icon="network" title="Nothing has been exchanged yet">
              <span>What the partner calls, and what it is sent, stands here from its registration on.</span>
            </EmptyState>
          }
        />
      </Panel>
      {shown !== undefined && <Detail of={shown} close={() => setShown(undefined)} />}
    </>
  )
}

function Detail({ of, close }: { readonly of: Exchange; readonly close: () => void }) {
  const { answer } = of
  return (
    <Dialog title={`${of.method} ${of.module}, ${directions[of.direction]}`} close={close} wide>
      <Facts
        of={[
          { name: 'When', value: momentText(of.at) },
          { name: 'Address', value: <span class="mono">{of.url}</span> },
          {
            name: 'Answer',
            value:
              answer === null
                ? 'none'
                : `HTTP ${answer.status}${answer.status_code === null ? '' : `, OCPI ${answer.status_code}`}, after ${latencyText(of.milliseconds)}`,
          },
          { name: 'Went wrong', value: of.error },
          {
            name: 'Left out',
            value: of.left_out === 0 ? null : `${of.left_out} of the same kind went well since the one before`,
          },
        ]}
      />
      <SideView name="Request" of={of.request} />
      {answer !== null && <SideView name="Answer" of={answer} />}
    </Dialog>
  )
}

function SideView({ name, of: { headers, body } }: { readonly name: string; readonly of: Side }) {
  return (
    <>
      <h3>{name}</h3>
      <JsonView value={headers} label={`Headers of the ${name.toLowerCase()}`} />
      {body !== null && <JsonView value={readBody(body)} label={`Body of the ${name.toLowerCase()}`} />}
    </>
  )
}

/** A long one is cut, and then is no JSON. */
function readBody(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
