// The box of commands: one is chosen, its fields are filled in, and it is sent, to one charge point or to several. It shows that it was asked, and then what
// the charger has said; nothing is taken for done before.

import './command-box.css'
import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import type { ApiError } from '../client/api.js'
import {
  type Answer,
  type Command,
  type CommandField,
  type CommandTarget,
  commands,
  triggerable,
  type Values,
} from '../client/command-list.js'
import { numberText } from '../client/format.js'
import { asApiError } from '../client/resource.js'
import { may } from '../client/session.js'
import { Button } from './button.js'
import { Dialog } from './dialog.js'
import { Field } from './field.js'
import { Icon } from './icon.js'

type Sent =
  | { readonly is: 'asking'; readonly at: number }
  | { readonly is: 'answered'; readonly answer: Answer }
  | { readonly is: 'failed'; readonly error: ApiError }

export interface CommandBoxProps {
  readonly title: string
  readonly target: CommandTarget
  readonly name?: string
  readonly connectorId?: number
  readonly close: () => void
  /** What is to be known of those that it is sent to. */
  readonly children?: ComponentChildren
  /** Resolves with what the charger has said, which the box shows. Undefined where it is shown elsewhere. */
  readonly send: (command: Command, values: Values) => Promise<Answer> | undefined
}

const sessionCommands = new Set(['start_session', 'stop_session'])

export const mayCommand = (): boolean => may('write:charge_points') || may('write:commands')

function isOpen(command: Command, { count }: CommandTarget): boolean {
  if (count !== 1 && (command.isRaw === true || command.forOne === true)) return false
  return mayCommand() || (sessionCommands.has(command.name) && may('write:sessions'))
}

export function CommandBox({ title, target, name, connectorId, close, children, send }: CommandBoxProps) {
  const open = commands.filter((one) => isOpen(one, target))
  // For several there is none that goes without saying.
  const [chosen, setChosen] = useState(name ?? (target.count === 1 ? (open[0]?.name ?? '') : ''))
  const [given, setGiven] = useState<Values>(connectorId === undefined ? {} : { connector_id: String(connectorId) })
  const [isSure, setSure] = useState(false)
  const [counted, setCounted] = useState('')
  const [sent, setSent] = useState<Sent>()
  const command = open.find((one) => one.name === chosen)
  const values = Object.fromEntries(
    (command?.fields ?? []).map((field) => [field.name, given[field.name] ?? firstOf(field, target)]),
  )
  const danger = command?.danger?.(target, values)
  const isCounted = command?.isCounted === true && target.count > 1
  const isConfirmed = isCounted ? counted.trim() === String(target.count) : danger === undefined || isSure
  const isComplete = command?.fields.every((field) => field.kind === 'time' || values[field.name] !== '') === true
  const isReady = isComplete && isConfirmed && sent?.is !== 'asking'

  function unconfirm(): void {
    setSure(false)
    setCounted('')
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (command === undefined || !isReady) return
    const answer = send(command, values)
    if (answer === undefined) return
    setSent({ is: 'asking', at: Date.now() })
    try {
      setSent({ is: 'answered', answer: await answer })
    } catch (error) {
      setSent({ is: 'failed', error: asApiError(error) })
    }
    unconfirm()
  }

  return (
    <Dialog title={title} close={close}>
      <form class="command-box" onSubmit={(event) => void submit(event)}>
        {children}
        <Field
          label="Command"
          value={chosen}
          onChange={(next) => {
            setChosen(next)
            unconfirm()
            setSent(undefined)
          }}
          options={[
            ...(target.count === 1 ? [] : [{ value: '', name: 'Choose…' }]),
            ...open.map((one) => ({ value: one.name, name: one.title })),
          ]}
          autofocus={name === undefined}
        />
        {command !== undefined && <p class="sub">{command.about}</p>}
        {command?.fields.map((field) => (
          <CommandFieldInput
            key={field.name}
            field={field}
            target={target}
            value={values[field.name] ?? ''}
            onChange={(value) => {
              setGiven({ ...given, [field.name]: value })
              unconfirm()
            }}
          />
        ))}
        {isCounted ? (
          <div class="sure counted">
            <p>{danger}</p>
            <Field
              label={`Type ${target.count} to send it to ${numberText(target.count)} charge points`}
              value={counted}
              onChange={setCounted}
              inputmode="numeric"
              autocomplete="off"
              mono
            />
          </div>
        ) : (
          danger !== undefined && (
            <label class="sure">
              <input type="checkbox" checked={isSure} onChange={(event) => setSure(event.currentTarget.checked)} />
              <span>
                {danger} <b>I am sure.</b>
              </span>
            </label>
          )
        )}
        <div class="row-of">
          <Button type="submit" kind={danger === undefined ? 'primary' : 'danger'} disabled={!isReady}>
            {command?.button ?? 'Send'}
          </Button>
          <Button onClick={close}>Close</Button>
        </div>
        <div role="status" aria-live="polite">
          {sent !== undefined && command !== undefined && <Outcome command={command} sent={sent} />}
        </div>
      </form>
    </Dialog>
  )
}

function firstOf(field: CommandField, { connectors, sessions }: CommandTarget): string {
  switch (field.kind) {
    case 'connector':
      return String(sessions[0]?.connectorId ?? connectors[0] ?? 1)
    case 'connector-or-all':
      return '0'
    case 'session':
      return String(sessions[0]?.transactionId ?? '')
    case 'message':
      return triggerable[0][0]
    default:
      return ''
  }
}

interface InputProps {
  readonly field: CommandField
  readonly target: CommandTarget
  readonly value: string
  readonly onChange: (value: string) => void
}

function CommandFieldInput({ field, target, value, onChange }: InputProps) {
  const { connectors, sessions } = target
  const common = { label: field.label, value, onChange, ...(field.hint !== undefined && { hint: field.hint }) }
  const one = (connectors.length === 0 ? [1] : connectors).map((id) => ({ value: String(id), name: `Connector ${id}` }))
  switch (field.kind) {
    case 'connector':
      return <Field {...common} options={one} />
    case 'connector-or-all':
      return (
        <Field
          {...common}
          options={[{ value: '0', name: 'The whole charger' }, ...(connectors.length === 0 ? [] : one)]}
        />
      )
    case 'session': {
      const running = sessions.map(({ connectorId, transactionId }) => ({
        value: String(transactionId),
        name: `Connector ${connectorId}, transaction ${transactionId}`,
      }))
      return (
        <Field {...common} options={running.length === 0 ? [{ value: '', name: 'No session is running' }] : running} />
      )
    }
    case 'message':
      return (
        <Field
          {...common}
          options={triggerable.map(([action, name]) => ({ value: action, name: `${name} (${action})` }))}
        />
      )
    case 'kilowatts':
      return <Field {...common} type="number" inputmode="decimal" required />
    case 'time':
      return <Field {...common} type="datetime-local" />
    default:
      return <Field {...common} mono required autocomplete="off" />
  }
}

function Outcome({ command, sent }: { readonly command: Command; readonly sent: Sent }) {
  switch (sent.is) {
    case 'asking':
      return (
        <p class="outcome">
          <Icon name="hourglass" /> Asked. Waiting for what the charger says.
        </p>
      )
    case 'answered': {
      const { status, milliseconds, response } = sent.answer
      const isDone = status === 'Accepted' || status === 'Unlocked' || status === 'Scheduled'
      return (
        <div class={isDone ? 'outcome done' : 'outcome failed'}>
          <p>
            <Icon name={isDone ? 'circle-check' : 'triangle-alert'} />
            {isDone
              ? `The charger has taken it${milliseconds === null ? '' : ` after ${milliseconds} ms`}.`
              : `The charger has not done it: ${status}.`}
          </p>
          <code class="mono">{JSON.stringify(response)}</code>
        </div>
      )
    }
    default: {
      const { error } = sent
      return (
        <div class="outcome failed">
          <p>
            <Icon name="triangle-alert" /> {failedWords[error.code] ?? `${command.title}: ${error.message}`}
          </p>
          <code class="mono">
            {error.code}
            {failedWords[error.code] === undefined ? '' : `: ${error.message}`}
            {error.details.map(({ path, message }) => `, ${path} ${message}`).join('')}
          </code>
        </div>
      )
    }
  }
}

const failedWords: Readonly<Record<string, string>> = {
  ocpp_rejected: 'The charger has refused it.',
  charge_point_offline: 'The charger is not connected, so nothing was sent.',
  ocpp_timeout: 'The charger has not answered in time. It may have done it all the same.',
  timeout: 'The charger has not answered in time. It may have done it all the same.',
  not_reached: 'The service does not answer. The command may have been sent all the same: see the history of commands.',
}
