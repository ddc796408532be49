// One model of charge points: what was learned of it, what applies, and correcting it.

import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import type { PageProps } from '../../app/pages.js'
import { api, ask } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { Facts } from '../../parts/facts.js'
import { FormDialog } from '../../parts/form.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { correctionOf, fieldsOf, type Model, rowsOf, type TraitRow, textsOf } from './traits.js'

export function Page({ params: { model_id = '' } }: PageProps) {
  const model = useResource(
    (signal) => ask(api.GET('/api/v1/charge-point-models/{model_id}', { params: { path: { model_id } }, signal })),
    [model_id],
  )
  return <Loaded of={model}>{(data) => <Shown model={data} reload={model.reload} />}</Loaded>
}

const columns: readonly Column<TraitRow>[] = [
  { id: 'name', name: 'What', width: 'minmax(160px, 1.6fr)', cell: ({ name }) => name },
  {
    id: 'applies',
    name: 'Applies',
    width: 'minmax(110px, 1fr)',
    cell: ({ applies, isCorrected }) => (
      <>
        <b>{applies}</b> {isCorrected && <Tag kind="info">corrected</Tag>}
      </>
    ),
  },
  {
    id: 'learned',
    name: 'Learned',
    width: 'minmax(110px, 1fr)',
    wideOnly: true,
    cell: ({ learned }) => <span class="dim">{learned}</span>,
  },
]

function Shown({ model, reload }: { readonly model: Model; readonly reload: () => void }) {
  const [dialog, setDialog] = useState<'correct' | 'remove'>()
  const close = () => setDialog(undefined)
  const params = { path: { model_id: model.model_id } }
  const rows = rowsOf(model)
  const name = `${model.vendor} ${model.model}`
  const filter = `model:"${model.model}"`
  return (
    <>
      <PageHead
        title={name}
        about={model.firmware_version === null ? 'firmware not reported' : `firmware ${model.firmware_version}`}
        actions={
          may('write:charge_points') && (
            <>
              <Button icon="pencil" onClick={() => setDialog('correct')}>
                Correct
              </Button>
              {model.correction !== null && (
                <Button icon="undo-2" onClick={() => setDialog('remove')}>
                  Delete the correction
                </Button>
              )}
            </>
          )
        }
      />
      <Panel title="What it is like">
        <Table
          label="What the model is like"
          columns={columns}
          count={rows.length}
          rowAt={(at) => rows[at] as TraitRow}
          keyOf={({ name: key }) => key}
        />
        <div class="padded">
          <Facts
            of={[
              { name: 'Learned', value: model.learned_at === null ? 'nothing yet' : momentText(model.learned_at) },
              { name: 'Corrected', value: model.corrected_at && momentText(model.corrected_at) },
              {
                name: 'Charge points',
                value: (
                  <Link class="link" href={`/fleet?q=${encodeURIComponent(filter)}`}>
                    Those of this model
                  </Link>
                ),
              },
            ]}
          />
        </div>
      </Panel>
      {dialog === 'correct' && (
        <FormDialog
          title={`Correct ${name}`}
          does="Save the correction"
          said="It counts from the next commissioning on."
          fields={fieldsOf}
          begin={textsOf(model)}
          close={close}
          run={async (values) => {
            const body = correctionOf(values)
            await ask(api.PUT('/api/v1/charge-point-models/{model_id}/correction', { params, body }))
            reload()
          }}
        >
          <p class="sub">
            It counts for the charge points of your organization alone. What is not known is found out by the next
            commissioning.
          </p>
        </FormDialog>
      )}
      {dialog === 'remove' && (
        <Ask
          title="Delete the correction?"
          does="Delete it"
          said="What was learned counts again."
          close={close}
          run={async () => {
            await ask(api.DELETE('/api/v1/charge-point-models/{model_id}/correction', { params }))
            reload()
          }}
        >
          <p>What was learned of the model counts again for your charge points.</p>
        </Ask>
      )}
    </>
  )
}
