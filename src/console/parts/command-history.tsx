// Commands as the service has recorded them: the columns of a list of them, and one of them with all that is known.

import { Link } from 'wouter-preact'
import { api, ask, type Schema } from '../client/api.js'
import { titleOf } from '../client/command-list.js'
import { momentText } from '../client/format.js'
import { Tag } from './chip.js'
import { Dialog } from './dialog.js'
import { Facts } from './facts.js'
import type { Column, NarrowRow } from './table.js'

type RecordedCommand = Schema<'Command'>
/** `Waiting`: the charge point has not answered yet. */
export type ShownCommand = Omit<RecordedCommand, 'status'> & {
  readonly status: RecordedCommand['status'] | 'Waiting'
}

export interface WaitingFirst {
  readonly data: readonly ShownCommand[]
  /** How many of them wait: they are not of the page. */
  readonly waiting: number
  /** Also those that are not shown. */
  readonly allWaiting: number
}

const waitingWithinMs = 1_000

/** Those that wait for an answer, before those that have ended. Without the former, where the service has too much to do to say. */
export async function withWaiting<Page extends { readonly data: readonly RecordedCommand[] }>(
  readHistory: () => Promise<Page>,
  chargePointId: string | undefined,
  signal: AbortSignal,
): Promise<Omit<Page, 'data'> & WaitingFirst> {
  const query = chargePointId === undefined ? {} : { charge_point_id: chargePointId }
  // Before the history: one that ends meanwhile is in both, and not in neither. An actor has to say it, which may have much to do.
  const soon = AbortSignal.any([signal, AbortSignal.timeout(waitingWithinMs)])
  const { commands, count } = await ask(
    api.GET('/api/v1/cpo/commands/history/waiting', { params: { query }, signal: soon }),
  ).catch(() => ({ commands: [], count: 0 }))
  const ended = await readHistory()
  const known = new Set(ended.data.map(({ command_id }) => command_id))
  const shown = commands.filter(({ command_id }) => !known.has(command_id))
  const left = commands.length - shown.length
  return { ...ended, data: [...shown.map(asShown), ...ended.data], waiting: shown.length, allWaiting: count - left }
}

/** Where only those that have ended are shown. */
export const withoutWaiting = <Page,>(history: Page) => ({ ...history, waiting: 0, allWaiting: 0 })

function asShown(waiting: Schema<'WaitingCommand'>): ShownCommand {
  return { ...waiting, status: 'Waiting', charge_point_response: null, response_time_ms: null, late_response: null }
}

/** `connector id 1, id tag TAG-1`: what was sent with a command, as people read it; nothing where nothing was. */
export const parametersText = (parameters: object): string =>
  Object.entries(parameters)
    .map(([name, value]) => `${name.replaceAll('_', ' ')} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')

const kinds = { Accepted: 'ok', Rejected: 'bad', Timeout: 'warn', Error: 'bad', Waiting: 'info' } as const

export const commandColumns: readonly Column<ShownCommand>[] = [
  { id: 'at', name: 'When', width: '170px', cell: ({ executed_at }) => momentText(executed_at) },
  {
    id: 'command',
    name: 'What',
    narrow: 'title',
    width: 'minmax(160px, 1fr)',
    cell: ({ command }) => <span title={command}>{titleOf(command)}</span>,
  },
  {
    id: 'status',
    name: 'What it said',
    narrow: 'end',
    width: '110px',
    cell: ({ status, late_response }) => (
      <Tag kind={kinds[status]}>{status === 'Timeout' && late_response !== null ? 'answered late' : status}</Tag>
    ),
  },
  {
    id: 'parameters',
    name: 'With',
    width: 'minmax(140px, 1.4fr)',
    wideOnly: true,
    cell: ({ parameters }) => <span class="dim">{parametersText(parameters)}</span>,
  },
  {
    id: 'by',
    name: 'By',
    width: 'minmax(120px, 0.8fr)',
    wideOnly: true,
    cell: ({ executed_by: by, executed_by_name: name }) => (
      <span class="dim" title={by}>
        {name}
      </span>
    ),
  },
  {
    id: 'ms',
    name: 'After',
    width: '80px',
    align: 'end',
    wideOnly: true,
    cell: ({ response_time_ms: ms }) => (ms === null ? '' : `${ms} ms`),
  },
]

export const narrowCommand: NarrowRow<ShownCommand> = {
  title: ({ command }) => titleOf(command),
  about: ({ charge_point_id: id, executed_at }) => `${id}, ${momentText(executed_at)}`,
  end: ({ status }) => <Tag kind={kinds[status]}>{status}</Tag>,
}

export function CommandDetails({ of, close }: { readonly of: ShownCommand; readonly close: () => void }) {
  const { charge_point_id: id } = of
  return (
    <Dialog title={titleOf(of.command)} close={close} wide>
      <Facts
        of={[
          {
            name: 'Charge point',
            value: (
              <Link class="link mono" href={`/charge-points/${encodeURIComponent(id)}`}>
                {id}
              </Link>
            ),
          },
          { name: 'When', value: momentText(of.executed_at) },
          { name: 'By', value: <span title={of.executed_by}>{of.executed_by_name}</span> },
          {
            name: 'It said',
            value:
              of.status === 'Waiting'
                ? 'Nothing yet.'
                : `${of.status}${of.response_time_ms === null ? '' : ` after ${of.response_time_ms} ms`}`,
          },
          { name: 'Why', value: of.error },
          { name: 'Asked with', value: parametersText(of.parameters) || undefined },
          {
            name: 'Answer',
            value:
              of.charge_point_response === null ? null : (
                <span class="mono">{JSON.stringify(of.charge_point_response)}</span>
              ),
          },
          {
            name: 'Late answer',
            value: of.late_response === null ? null : <span class="mono">{JSON.stringify(of.late_response)}</span>,
          },
          { name: 'Id', value: <span class="mono">{of.command_id}</span> },
          {
            name: 'Part of',
            value: of.bulk_command_id === null ? null : <span class="mono">{of.bulk_command_id}</span>,
          },
        ]}
      />
    </Dialog>
  )
}
