// Rollouts of firmware, the newest first, a new one for the charge points that a filter finds, and the versions that run.

import { useState } from 'preact/hooks'
import { useLocation } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText, numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { rolloutStatus, rolloutWords } from '../../client/rollout-words.js'
import { may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { NewRollout } from './new-rollout.js'
import { Versions } from './versions.js'

type Rollout = Schema<'FirmwareRolloutSummary'>

const columns: readonly Column<Rollout>[] = [
  {
    id: 'firmware',
    name: 'Firmware',
    width: 'minmax(140px, 1.5fr)',
    cell: ({ target_version: version, firmware_url: url }) => (
      <span title={url}>{version ?? url.split('/').at(-1)}</span>
    ),
  },
  {
    id: 'status',
    name: 'State',
    width: '110px',
    cell: (row) => {
      const [words, kind] = rolloutStatus(row)
      return <Tag kind={kind}>{words}</Tag>
    },
    narrow: 'end',
  },
  {
    id: 'done',
    name: 'Installed',
    width: '120px',
    align: 'end',
    cell: ({ installed, charge_points: all }) => `${numberText(installed)} of ${numberText(all)}`,
  },
  {
    id: 'failed',
    name: 'Failed',
    width: '70px',
    align: 'end',
    cell: ({ failed }) => (failed === 0 ? <span class="dim">0</span> : <b>{numberText(failed)}</b>),
  },
  {
    id: 'stage',
    name: 'Stage',
    width: '90px',
    align: 'end',
    wideOnly: true,
    cell: ({ started_stages: started, stage_count: count }) => `${started} of ${count}`,
  },
  {
    id: 'strategy',
    name: 'How',
    width: '110px',
    wideOnly: true,
    cell: ({ strategy }) => rolloutWords(strategy),
  },
  { id: 'created', name: 'Made', width: '120px', wideOnly: true, cell: ({ created_at: at }) => agoText(at) },
]

export function Page() {
  const [, navigate] = useLocation()
  const [begin, setBegin] = useState<string>()
  const rollouts = useResource(
    async (signal) =>
      (await ask(api.GET('/api/v1/cpo/firmware/rollout', { params: { query: { per_page: 100 } }, signal }))).data,
    [],
    { everySeconds: 10 },
  )
  const open = (id: string): void => navigate(`/rollouts/${encodeURIComponent(id)}`)
  return (
    <>
      <PageHead
        title="Firmware rollouts"
        about="Stage by stage, with an end where too many fail"
        actions={
          may('write:charge_points') && (
            <Button kind="primary" icon="plus" onClick={() => setBegin('')}>
              New rollout
            </Button>
          )
        }
      />
      <Panel>
        <Loaded of={rollouts}>
          {(rows) =>
            rows.length === 0 ? (
              <EmptyState icon="layers" title="There has been no rollout">
                <span>One sends new firmware to some charge points first, and to the others when those have it.</span>
              </EmptyState>
            ) : (
              <Table
                label="Firmware rollouts"
                fits
                columns={columns}
                count={rows.length}
                rowAt={(at) => rows[at] as Rollout}
                keyOf={({ rollout_id: id }) => id}
                open={({ rollout_id: id }) => open(id)}
              />
            )
          }
        </Loaded>
      </Panel>
      <Versions update={setBegin} />
      {begin !== undefined && <NewRollout begin={begin} close={() => setBegin(undefined)} made={open} />}
    </>
  )
}
