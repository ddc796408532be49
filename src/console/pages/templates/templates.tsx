// Templates of configurations: what charge points of a kind are to be configured with. Those of the organization are changed; those that all share are shown.

import { useState } from 'preact/hooks'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText, numberText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Dialog } from '../../parts/dialog.js'
import { Facts } from '../../parts/facts.js'
import { List } from '../../parts/list.js'
import { usePage } from '../../parts/pager.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import { parametersText, type Template, TemplateDialog } from './template-dialog.js'

const perPage = 50

type Shared = Schema<'ConfigurationTemplate'>

const anyText = (pattern: string | null) =>
  pattern === null ? <span class="dim">any</span> : <span class="mono">{pattern}</span>

const columns: readonly Column<Template>[] = [
  { id: 'name', name: 'Template', width: 'minmax(140px, 1.4fr)', cell: ({ name }) => name },
  { id: 'vendor', name: 'Vendor', width: 'minmax(90px, 1fr)', wideOnly: true, cell: ({ vendor }) => anyText(vendor) },
  { id: 'model', name: 'Model', width: 'minmax(90px, 1fr)', cell: ({ model }) => anyText(model) },
  {
    id: 'firmware',
    name: 'Firmware',
    width: 'minmax(80px, 1fr)',
    wideOnly: true,
    cell: ({ firmware }) => anyText(firmware),
  },
  {
    id: 'keys',
    name: 'Keys',
    width: '60px',
    align: 'end',
    cell: ({ parameters }) => numberText(Object.keys(parameters).length),
  },
  {
    id: 'changed',
    name: 'Changed',
    width: '120px',
    wideOnly: true,
    cell: ({ updated_at: at }) => at !== null && agoText(at),
  },
]

type Open =
  | { readonly is: 'new'; readonly from?: Template }
  | { readonly is: 'change' | 'remove' | 'look'; readonly template: Template }

export function Page() {
  const [page] = usePage()
  const [open, setOpen] = useState<Open>()
  const mayChange = may('write:charge_points')
  const templates = useResource(
    (signal) =>
      ask(api.GET('/api/v1/configuration-templates', { params: { query: { page, per_page: perPage } }, signal })),
    [page],
  )
  const close = () => setOpen(undefined)
  return (
    <>
      <Panel
        title="Templates of your organization"
        hint="They come before those that all share"
        actions={
          mayChange && (
            <Button small kind="primary" icon="plus" onClick={() => setOpen({ is: 'new' })}>
              New template
            </Button>
          )
        }
      >
        <List
          label="Templates"
          of={templates}
          perPage={perPage}
          columns={columns}
          keyOf={({ template_id: id }) => id}
          open={(template) => setOpen({ is: mayChange ? 'change' : 'look', template })}
          empty={
            <EmptyState icon="sliders-horizontal" title="Your organization has no template">
              <span>Charge points are configured by the templates that all share, until you create one.</span>
            </EmptyState>
          }
        />
      </Panel>
      <Panel title="Templates that all share" hint="Built in, or from files of the installation">
        <Loaded of={templates} rows={2}>
          {({ shared }) => (
            <Table
              label="Templates that all share"
              columns={columns}
              count={shared.length}
              rowAt={(at) => shared[at] as Shared}
              keyOf={({ template_id: id }) => id}
              open={(template) => setOpen({ is: 'look', template })}
            />
          )}
        </Loaded>
      </Panel>
      {open?.is === 'new' && (
        <TemplateDialog {...(open.from !== undefined && { from: open.from })} close={close} done={templates.reload} />
      )}
      {open?.is === 'change' && (
        <TemplateDialog
          template={open.template}
          close={close}
          done={templates.reload}
          remove={() => setOpen({ is: 'remove', template: open.template })}
        />
      )}
      {open?.is === 'look' && (
        <Look
          template={open.template}
          close={close}
          copy={mayChange ? () => setOpen({ is: 'new', from: open.template }) : undefined}
        />
      )}
      {open?.is === 'remove' && (
        <Ask
          title={`Delete ${open.template.name}?`}
          does="Delete it"
          said={`${open.template.name} is deleted.`}
          danger
          close={close}
          run={async () => {
            const params = { path: { template_id: open.template.template_id } }
            await ask(api.DELETE('/api/v1/configuration-templates/{template_id}', { params }))
            templates.reload()
          }}
        >
          <p>
            Charge points keep what they are configured with. The next time, another template that matches them applies.
          </p>
        </Ask>
      )}
    </>
  )
}

interface LookProps {
  readonly template: Template
  readonly close: () => void
  readonly copy: (() => void) | undefined
}

function Look({ template, close, copy }: LookProps) {
  return (
    <Dialog
      title={template.name}
      close={close}
      wide
      actions={
        <>
          {copy !== undefined && (
            <Button icon="copy" onClick={copy}>
              Make one of your own from it
            </Button>
          )}
          <Button onClick={close}>Close</Button>
        </>
      }
    >
      <Facts
        of={[
          { name: 'Vendor', value: template.vendor ?? 'any' },
          { name: 'Model', value: template.model ?? 'any' },
          { name: 'Firmware', value: template.firmware ?? 'any' },
        ]}
      />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <pre class="mono" tabIndex={0} role="region" aria-label="Keys">
        {parametersText(template.parameters)}
      </pre>
    </Dialog>
  )
}
