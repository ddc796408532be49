// The reservations of connectors: made with the consent of the charge point, and cancelled.

import { useState } from 'preact/hooks'
import { Link } from 'wouter-preact'
import { api, ask, type Schema } from '../../client/api.js'
import { momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { may } from '../../client/session.js'
import { fieldTextOf, instantText } from '../../client/zone.js'
import { Ask } from '../../parts/ask.js'
import { Button } from '../../parts/button.js'
import { Segmented, Tag, type TagKind } from '../../parts/chip.js'
import { Field } from '../../parts/field.js'
import { Fields } from '../../parts/fields.js'
import { FormDialog, type FormField, numberIn, textIn } from '../../parts/form.js'
import { List } from '../../parts/list.js'
import { useFilter, usePage } from '../../parts/pager.js'
import { PageHead, Panel } from '../../parts/panel.js'
import { EmptyState } from '../../parts/states.js'
import type { Column } from '../../parts/table.js'

type Reservation = Schema<'Reservation'>
type Status = Reservation['status']

const perPage = 50

const statuses: readonly { readonly value: Status; readonly name: string; readonly kind: TagKind }[] = [
  { value: 'active', name: 'Active', kind: 'ok' },
  { value: 'used', name: 'Used', kind: 'info' },
  { value: 'expired', name: 'Expired', kind: 'plain' },
  { value: 'cancelled', name: 'Cancelled', kind: 'warn' },
]

const columns: readonly Column<Reservation>[] = [
  {
    id: 'where',
    name: 'Connector',
    width: 'minmax(130px, 1fr)',
    cell: ({ charge_point_id: id, connector_id: connector }) => (
      <Link class="link mono" href={`/charge-points/${encodeURIComponent(id)}`}>
        {connector === 0 ? `${id}, any` : `${id} ${connector}`}
      </Link>
    ),
  },
  {
    id: 'tag',
    name: 'For',
    width: 'minmax(110px, 1fr)',
    wideOnly: true,
    cell: ({ id_tag: tag }) => <span class="mono">{tag}</span>,
  },
  {
    id: 'status',
    name: 'State',
    width: '100px',
    cell: ({ status, cancel_reason: reason }) => {
      const found = statuses.find(({ value }) => value === status)
      return (
        <Tag kind={found?.kind ?? 'plain'} {...(reason !== null && { title: reason })}>
          {found?.name ?? status}
        </Tag>
      )
    },
  },
  { id: 'until', name: 'Until', width: '170px', wideOnly: true, cell: ({ expiry_date: at }) => momentText(at) },
  {
    id: 'session',
    name: 'Session',
    width: 'minmax(100px, 1fr)',
    wideOnly: true,
    cell: ({ session_id: id }) =>
      id !== null && (
        <Link class="link mono" href={`/sessions/${encodeURIComponent(id)}`}>
          {id}
        </Link>
      ),
  },
]

const newFields: readonly FormField[] = [
  { name: 'charge_point_id', label: 'Charge point', mono: true },
  { name: 'connector_id', label: 'Connector', isNumber: true, hint: '0 is any, if the charge point supports that.' },
  { name: 'id_tag', label: 'Card (id tag) that may use it', mono: true },
  { name: 'expiry_date', label: 'Until', type: 'datetime-local' },
]

export function Page() {
  const [status, setStatus] = useFilter('status')
  const [chargePointId, setChargePointId] = useFilter('charge_point_id')
  const [page] = usePage()
  const [isMaking, setMaking] = useState(false)
  const [cancelled, setCancelled] = useState<Reservation>()
  const known = statuses.find(({ value }) => value === status)?.value
  const all = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/reservations', {
          params: {
            query: {
              page,
              per_page: perPage,
              ...(known !== undefined && { status: known }),
              ...(chargePointId !== undefined && { charge_point_id: chargePointId }),
            },
          },
          signal,
        }),
      ),
    [known, chargePointId, page],
    { everySeconds: 10 },
  )
  const mayChange = may('write:charge_points')
  const cancel: Column<Reservation> = {
    id: 'cancel',
    name: 'Cancel it',
    hideName: true,
    width: '90px',
    align: 'end',
    buttons: true,
    cell: (row) =>
      row.status === 'active' && (
        <Button small onClick={() => setCancelled(row)} label={`Cancel the reservation at ${row.charge_point_id}`}>
          Cancel
        </Button>
      ),
  }
  return (
    <>
      <PageHead
        title="Reservations"
        about="Connectors that are kept free for a driver"
        actions={
          mayChange && (
            <Button kind="primary" icon="plus" onClick={() => setMaking(true)}>
              Reserve a connector
            </Button>
          )
        }
      >
        <Fields>
          <Segmented
            label="State"
            value={known ?? 'all'}
            options={[{ value: 'all', name: 'All' }, ...statuses.map(({ value, name }) => ({ value, name }))]}
            onChange={(value) => setStatus(value === 'all' ? '' : value)}
          />
          <Field
            label="Charge point"
            hideLabel
            placeholder="Charge point"
            type="search"
            mono
            value={chargePointId ?? ''}
            onChange={setChargePointId}
          />
        </Fields>
      </PageHead>
      <Panel class="fills">
        <List
          label="Reservations"
          of={all}
          perPage={perPage}
          columns={mayChange ? [...columns, cancel] : columns}
          keyOf={({ reservation_id: id }) => id}
          empty={
            known === undefined && chargePointId === undefined ? (
              <EmptyState icon="calendar" title="Nothing is reserved">
                <span>A reservation keeps a connector free for one id tag until it is used, or its time is over.</span>
              </EmptyState>
            ) : (
              <EmptyState icon="calendar" title="No reservation is like this" />
            )
          }
        />
      </Panel>
      {isMaking && (
        <FormDialog
          title="Reserve a connector"
          does="Reserve it"
          said="The charge point has accepted the reservation."
          fields={newFields}
          begin={{
            charge_point_id: chargePointId ?? '',
            connector_id: '1',
            expiry_date: fieldTextOf(Date.now() + 3_600_000),
          }}
          close={() => setMaking(false)}
          run={async (values) => {
            const body = {
              charge_point_id: textIn(values.charge_point_id),
              connector_id: numberIn(values.connector_id),
              id_tag: textIn(values.id_tag),
              expiry_date: instantText(values.expiry_date) ?? '',
            }
            await ask(api.POST('/api/v1/reservations', { body }))
            all.reload()
          }}
        >
          <p class="sub">The charge point is asked now. If it refuses, nothing is reserved.</p>
        </FormDialog>
      )}
      {cancelled !== undefined && (
        <Ask
          title="Cancel this reservation?"
          does="Cancel the reservation"
          said="The reservation is cancelled."
          danger
          close={() => setCancelled(undefined)}
          run={async () => {
            const params = { path: { reservation_id: cancelled.reservation_id } }
            await ask(api.DELETE('/api/v1/reservations/{reservation_id}', { params }))
            all.reload()
          }}
        >
          <p>
            <span class="mono">{cancelled.id_tag}</span> finds the connector of{' '}
            <span class="mono">{cancelled.charge_point_id}</span> free for everybody. The charge point is told at once,
            or when it connects again.
          </p>
        </Ask>
      )}
    </>
  )
}
