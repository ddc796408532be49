// The client certificates that the service has issued for the charge point: which are good, who has requested each, and what can be done with them.

import { useState } from 'preact/hooks'
import { api, ask } from '../../client/api.js'
import { agoText, dateText, momentText } from '../../client/format.js'
import { useResource } from '../../client/resource.js'
import { hasFeature, may } from '../../client/session.js'
import { Button } from '../../parts/button.js'
import { Tag, type TagKind } from '../../parts/chip.js'
import { Panel } from '../../parts/panel.js'
import { EmptyState, Loaded } from '../../parts/states.js'
import { type Column, Table } from '../../parts/table.js'
import type { State } from './here.js'
import { IssueDialog } from './issue-certificate.js'
import { type Certificate, RevokeAllDialog, RevokeDialog } from './revoke-certificates.js'

const statuses: Readonly<Record<Certificate['status'], readonly [kind: TagKind, meaning: string]>> = {
  active: ['ok', 'The charge point can connect with it.'],
  superseded: ['plain', 'The charge point has connected with a newer one. This one is refused.'],
  revoked: ['bad', 'It was revoked, and is refused.'],
  expired: ['plain', 'Its time is over, and it is refused.'],
}

function Status({ of: { status, revoked_at: at } }: { readonly of: Certificate }) {
  const [kind, meaning] = statuses[status]
  return (
    <Tag kind={kind} title={at === null ? meaning : `${meaning} ${momentText(at)}`}>
      {status}
    </Tag>
  )
}

/** Those of one registration begin alike. */
const toldApartBy = 16

function Serial({ of: { serial_number: serial } }: { readonly of: Certificate }) {
  return (
    <span class="mono" title={serial}>
      …{serial.slice(-toldApartBy)}
    </span>
  )
}

const byWhom = ({ issued_by }: Certificate) => {
  if (issued_by === null) return 'the charge point'
  return issued_by === 'installer' ? 'its installer' : <span class="mono">{issued_by}</span>
}

const columns: readonly Column<Certificate>[] = [
  { id: 'status', name: 'Status', width: '96px', cell: (row) => <Status of={row} /> },
  {
    id: 'serial',
    name: 'Serial number',
    width: 'minmax(120px, 1.4fr)',
    cell: (row) => <Serial of={row} />,
  },
  { id: 'by', name: 'Requested by', width: 'minmax(110px, 1fr)', cell: byWhom },
  {
    id: 'issued',
    name: 'Issued',
    width: '90px',
    cell: ({ issued_at: at }) => <span title={momentText(at)}>{dateText(at)}</span>,
  },
  {
    id: 'end',
    name: 'Good until',
    width: '90px',
    cell: ({ expires_at: at }) => <span title={`${momentText(at)}, ${agoText(at)}`}>{dateText(at)}</span>,
  },
]

export interface CertificatesProps {
  readonly data: State
  /** As the operator has said: whether it is refused without a certificate. */
  readonly required: boolean | null
  readonly reload: () => void
}

type Doing = 'issue' | 'revoke-all' | Certificate

export function Certificates({ data, required, reload }: CertificatesProps) {
  const { charge_point_id } = data
  const params = { path: { charge_point_id } }
  const certificates = useResource(
    (signal) => ask(api.GET('/api/v1/chargepoints/{charge_point_id}/certificates', { params, signal })),
    [charge_point_id],
    { everySeconds: 10 },
  )
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  const changed = () => {
    certificates.reload()
    reload()
  }
  const mayChange = may('write:charge_points')
  const issues = hasFeature('certificates')
  const revoke = (row: Certificate) =>
    (row.status === 'active' || row.status === 'superseded') && (
      <Button small onClick={() => setDoing(row)} label={`Revoke ${row.serial_number}`}>
        Revoke
      </Button>
    )
  const all: readonly Column<Certificate>[] = mayChange
    ? [
        ...columns,
        { id: 'revoke', name: 'Revoke', hideName: true, width: '80px', align: 'end', buttons: true, cell: revoke },
      ]
    : columns
  const about = { data, required, close, changed }
  return (
    <Panel
      title="Client certificates"
      hint="Those that the service has issued since it was registered"
      actions={
        mayChange && (
          <>
            {issues && (
              <Button small icon="plus" onClick={() => setDoing('issue')}>
                Issue one
              </Button>
            )}
            <Button small icon="ban" onClick={() => setDoing('revoke-all')}>
              Revoke all
            </Button>
          </>
        )
      }
    >
      <Loaded of={certificates} rows={2}>
        {({ certificates: rows }) => (
          <>
            {rows.length === 0 ? (
              <EmptyState icon="award" title="The service has issued none">
                <span>
                  {issues
                    ? 'With one, it can connect under security profile 3. On the way to that profile, it gets one by itself.'
                    : 'This installation issues none: it has the certificate of your authority, but not its key.'}
                </span>
              </EmptyState>
            ) : (
              <Table
                label="Client certificates"
                columns={all}
                narrow={{
                  title: (row) => (
                    <>
                      <Status of={row} /> <Serial of={row} />
                    </>
                  ),
                  about: (row) => (
                    <>
                      until {dateText(row.expires_at)}, requested by {byWhom(row)}
                    </>
                  ),
                  ...(mayChange && { end: revoke }),
                }}
                fits
                count={rows.length}
                rowAt={(at) => rows[at] as Certificate}
                keyOf={({ certificate_id: id }) => id}
              />
            )}
            {doing === 'issue' && <IssueDialog id={charge_point_id} close={close} done={changed} />}
            {doing === 'revoke-all' && <RevokeAllDialog {...about} />}
            {typeof doing === 'object' && (
              <RevokeDialog
                {...about}
                certificate={doing}
                isLast={
                  doing.status === 'active' &&
                  rows.every(({ status, certificate_id: id }) => status !== 'active' || id === doing.certificate_id)
                }
              />
            )}
          </>
        )}
      </Loaded>
    </Panel>
  )
}
