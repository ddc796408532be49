// What the charge point does against the standard: how much of what it says is as it should be, and what is not, where in which message, with how many of
// its model do the same.

import '../conformance/deviations.css'
import { Link } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText, dateText, numberText, percentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Tag } from '../../parts/chip.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { DeviationDetail } from '../conformance/deviation-detail.js'
import { outcomeWords, placeWords, shareWords, whatWords } from '../conformance/words.js'
import { useHere } from './here.js'

type Deviation = Schema<'Deviation'>

const columns: readonly Column<Deviation>[] = [
  { id: 'what', name: 'What it does', width: 'minmax(180px, 2fr)', cell: ({ meaning }) => whatWords(meaning) },
  {
    id: 'where',
    name: 'Where',
    width: 'minmax(150px, 1.6fr)',
    cell: (deviation) => <span class="mono">{placeWords(deviation)}</span>,
  },
  {
    id: 'outcome',
    name: 'Outcome',
    width: '90px',
    wideOnly: true,
    cell: ({ outcome }) => <Tag kind={outcome === 'refused' ? 'warn' : 'plain'}>{outcomeWords[outcome]}</Tag>,
  },
  { id: 'count', name: 'Times', width: '80px', align: 'end', cell: ({ count }) => numberText(count) },
  {
    id: 'peers',
    name: 'Of its model',
    width: '110px',
    align: 'end',
    wideOnly: true,
    cell: ({ peers }) => peersWords(peers),
  },
  {
    id: 'last',
    name: 'Last',
    width: '110px',
    wideOnly: true,
    cell: ({ last_at }) => <span class="dim">{agoText(last_at)}</span>,
  },
]

const peersWords = ({ deviating, same_model }: Deviation['peers']): string =>
  deviating <= 1 ? 'this one alone' : shareWords(deviating, same_model)

const keyOf = ({ rule, action, path }: Deviation): string => `${rule} ${action ?? ''} ${path ?? ''}`

export function Page() {
  const { id } = useHere()
  const [chosen, choose] = useQuery('deviation')
  const conformance = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/chargepoints/{charge_point_id}/conformance', {
          params: { path: { charge_point_id: id } },
          signal,
        }),
      ),
    [id],
    { everySeconds: 30 },
  )
  return (
    <Loaded of={conformance}>
      {(data) => {
        const { deviations } = data
        const shown = deviations.find((one) => keyOf(one) === chosen)
        return (
          <div class="deviations">
            <Panel class="fills">
              <p class="conformance-score">{scoreWords(data)}</p>
              {deviations.length === 0 ? (
                <EmptyState icon="circle-check" title="It keeps to the standard">
                  <span>What it does against OCPP 1.6 is here a minute after it has done it.</span>
                </EmptyState>
              ) : (
                <Table
                  label="Deviations"
                  columns={columns}
                  count={deviations.length}
                  rowAt={(at) => deviations[at] as Deviation}
                  keyOf={keyOf}
                  open={(deviation) => choose(keyOf(deviation))}
                />
              )}
              {data.model !== null && deviations.length > 0 && (
                <p class="conformance-score">
                  <Link href={groupHref(data)}>
                    All charge points of this model and firmware, and a report for their maker
                  </Link>
                </p>
              )}
            </Panel>
            {shown !== undefined && (
              <DeviationDetail
                deviation={shown}
                chargePointId={id}
                by={
                  shown.peers.deviating <= 1
                    ? 'this one alone'
                    : `${shareWords(shown.peers.deviating, shown.peers.same_model)} of its model`
                }
                close={() => choose(undefined)}
              />
            )}
          </div>
        )
      }}
    </Loaded>
  )
}

type Conformance = Schema<'ChargePointConformance'>

function groupHref({ vendor, model, firmware_version }: Conformance): string {
  const query = new URLSearchParams({ vendor: vendor ?? '', model: model ?? '', firmware: firmware_version ?? '' })
  return `/conformance?${query}`
}

function scoreWords(data: Conformance): string {
  const { messages, deviating_messages: deviating, counted_since, other_violations: others, deviations } = data
  if (counted_since === null)
    return messages === 0
      ? 'It has sent nothing in the last 30 days.'
      : `All ${numberText(messages)} messages of the last 30 days were as the standard says.`
  const share = messages === 0 ? 0 : (messages - deviating) / messages
  const refused = deviations.some(({ outcome }) => outcome === 'refused')
  const most = `${percentText(share)} of ${numberText(messages)} messages since ${dateText(counted_since)} were as the standard says.`
  const rest = refused
    ? 'Some of what was not was refused.'
    : 'What was not was repaired or ignored; nothing was refused.'
  const more = others === 0 ? '' : ` Beside what is listed, rules were broken ${numberText(others)} times.`
  return `${most} ${rest}${more}`
}
