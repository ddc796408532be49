// What the charge points of one model, or of one firmware of it, do against the standard; and the report of it for their maker.

import { Link } from 'wouter-preact'
import { useQuery } from '../../client/address.js'
import { api, ask } from '../../client/api.js'
import { numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { copyText, saveFile } from '../../parts/download.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { DeviationDetail } from './deviation-detail.js'
import {
  chargePointsWords,
  fileName,
  type Group,
  groupName,
  type ModelDeviation,
  outcomeWords,
  placeWords,
  reportText,
  shareWords,
  timesWords,
  whatWords,
} from './words.js'

const columnsOf = (all: number): readonly Column<ModelDeviation>[] => [
  { id: 'what', name: 'What they do', width: 'minmax(180px, 2fr)', cell: ({ meaning }) => whatWords(meaning) },
  {
    id: 'where',
    name: 'Where',
    width: 'minmax(150px, 1.6fr)',
    cell: (deviation) => <span class="mono">{placeWords(deviation)}</span>,
  },
  {
    id: 'section',
    name: 'Standard',
    width: 'minmax(120px, 1.2fr)',
    wideOnly: true,
    cell: ({ standard }) => standard.section,
  },
  {
    id: 'outcome',
    name: 'Outcome',
    width: '90px',
    wideOnly: true,
    cell: ({ outcome }) => <Tag kind={outcome === 'refused' ? 'warn' : 'plain'}>{outcomeWords[outcome]}</Tag>,
  },
  {
    id: 'by',
    name: 'Done by',
    width: '100px',
    align: 'end',
    cell: ({ charge_points }) => shareWords(charge_points, all),
  },
  {
    id: 'count',
    name: 'Times',
    width: '80px',
    align: 'end',
    wideOnly: true,
    cell: ({ count }) => numberText(count),
  },
]

const keyOf = ({ rule, action, path }: ModelDeviation): string => `${rule} ${action ?? ''} ${path ?? ''}`

export function OneGroup() {
  const [vendor = ''] = useQuery('vendor')
  const [model = ''] = useQuery('model')
  const [firmware = ''] = useQuery('firmware')
  const [by] = useQuery('by')
  const query = {
    vendor,
    model,
    deviations: 100,
    ...(by === 'model' ? { group_by: 'model' as const } : { firmware_version: firmware }),
  }
  const groups = useResource(
    (signal) => ask(api.GET('/api/v1/cpo/conformance', { params: { query }, signal })),
    [vendor, model, firmware, by],
    { everySeconds: 60 },
  )
  const name = groupName({
    vendor: vendor || null,
    model: model || null,
    firmware_version: by === 'model' ? null : firmware || null,
  })
  const group = groups.data?.data[0]
  return (
    <>
      <PageHead
        title={name}
        about={
          group === undefined
            ? 'What its charge points do against OCPP 1.6'
            : `${chargePointsWords(group.deviating, group.charge_points)} ${group.deviating === 1 ? 'deviates' : 'deviate'}, ${timesWords(group.violations)} in all`
        }
        actions={group !== undefined && group.deviations.length > 0 && <Report group={group} />}
      />
      <p>
        <Link href={by === 'model' ? '/conformance?by=model' : '/conformance'}>All models that deviate</Link>
      </p>
      <Loaded of={groups}>
        {({ data: [found] }) =>
          found === undefined ? (
            <Panel class="fills">
              <EmptyState icon="circle-check" title="No charge point of it deviates">
                <span>None that you have, and that has this model and firmware, breaks a rule of OCPP 1.6.</span>
              </EmptyState>
            </Panel>
          ) : (
            <Shown group={found} />
          )
        }
      </Loaded>
    </>
  )
}

function Report({ group }: { readonly group: Group }) {
  const text = () => reportText(group, Date.now())
  return (
    <>
      <Button
        small
        icon="file-text"
        onClick={() => saveFile(`${fileName(group)}.txt`, 'text/plain;charset=utf-8', text())}
      >
        Report for the maker
      </Button>
      <Button small icon="copy" onClick={() => void copyText(text(), 'The report is copied')}>
        Copy it
      </Button>
      <Button
        small
        icon="download"
        onClick={() => saveFile(`${fileName(group)}.json`, 'application/json', `${JSON.stringify(group, null, 2)}\n`)}
      >
        JSON
      </Button>
    </>
  )
}

function Shown({ group }: { readonly group: Group }) {
  const [chosen, choose] = useQuery('deviation')
  const { deviations, charge_points, more_deviations } = group
  const shown = deviations.find((one) => keyOf(one) === chosen)
  return (
    <div class="deviations">
      <Panel class="fills">
        {deviations.length === 0 ? (
          <EmptyState icon="circle-check" title="Nothing is listed">
            <span>Rules were broken, and where that was is not kept: the disk was low on space.</span>
          </EmptyState>
        ) : (
          <Table
            label="Deviations"
            columns={columnsOf(charge_points)}
            count={deviations.length}
            rowAt={(at) => deviations[at] as ModelDeviation}
            keyOf={keyOf}
            open={(deviation) => choose(keyOf(deviation))}
          />
        )}
        {more_deviations && <p class="conformance-score dim">They do more than is listed here.</p>}
      </Panel>
      {shown !== undefined && (
        <DeviationDetail
          deviation={shown}
          chargePointId={shown.example.charge_point_id}
          by={`${chargePointsWords(shown.charge_points, charge_points)}, ${timesWords(shown.count)}`}
          close={() => choose(undefined)}
        />
      )}
    </div>
  )
}
