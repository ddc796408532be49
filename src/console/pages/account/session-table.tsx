// Sessions of the console, each of which can be ended.

import type { ComponentChildren } from 'preact'
import { api, ask, type Schema } from '../../client/api.js'
import { agoText } from '../../client/format.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { type Column, Table } from '../../parts/table.js'
import { attempt } from '../../parts/toast.js'

type Session = Schema<'ConsoleSession'>

const methods: Readonly<Record<Session['method'], string>> = {
  api_key: 'API key',
  code: 'code by mail',
  invitation: 'invitation',
  passkey: 'passkey',
  single_sign_on: 'single sign-on',
}

const browsers = [
  ['Edg/', 'Edge'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const

const systems = [
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** `Firefox on Linux`: what it calls itself, as far as that says something. */
export function browserText(agent: string | null): string {
  const nameIn = (names: readonly (readonly [string, string])[]) =>
    names.find(([mark]) => agent?.includes(mark) === true)?.[1]
  const [browser, system] = [nameIn(browsers), nameIn(systems)]
  if (browser === undefined) return agent ?? 'a program'
  return system === undefined ? browser : `${browser} on ${system}`
}

export function SessionTable({
  rows,
  ended,
  who,
}: {
  readonly rows: readonly Session[]
  /** Called once one has been ended. */
  readonly ended: () => void
  /** Whose it is, where they are of several. */
  readonly who?: (session: Session) => ComponentChildren
}) {
  async function end(session: Session): Promise<void> {
    const path = { console_session_id: session.id }
    await attempt(
      () => ask(api.DELETE('/api/v1/console/sessions/{console_session_id}', { params: { path } })),
      'The session has ended.',
    )
    ended()
  }
  const columns: readonly Column<Session>[] = [
    ...(who === undefined ? [] : [{ id: 'who', name: 'Who', width: 'minmax(120px, 1fr)', cell: who }]),
    {
      id: 'browser',
      name: 'Browser',
      width: 'minmax(140px, 1fr)',
      cell: ({ agent, is_own: isOwn }) => (
        <>
          <span title={agent ?? ''}>{browserText(agent)}</span> {isOwn && <Tag kind="info">this one</Tag>}
        </>
      ),
    },
    { id: 'method', name: 'With', width: '120px', wideOnly: true, cell: ({ method }) => methods[method] },
    {
      id: 'from',
      name: 'From',
      width: '140px',
      wideOnly: true,
      cell: (row) => <span class="mono">{row.remote_address}</span>,
    },
    { id: 'began', name: 'Signed in', width: '120px', wideOnly: true, cell: ({ created_at: at }) => agoText(at) },
    { id: 'seen', name: 'Last seen', width: '110px', cell: ({ last_seen_at: at }) => agoText(at) },
    {
      id: 'end',
      name: 'End',
      width: '70px',
      align: 'end',
      buttons: true,
      cell: (row) => (
        <Button small onClick={() => void end(row)} label={`End the session of ${browserText(row.agent)}`}>
          End
        </Button>
      ),
    },
  ]
  return (
    <Table
      label="Sessions"
      fits
      columns={columns}
      count={rows.length}
      rowAt={(at) => rows[at] as Session}
      keyOf={({ id }) => id}
    />
  )
}
