// The box of commands: one is chosen, its fields are filled in, and it is sent, to one charge point or to several. It shows that it was asked, and then what
// the charger has said; nothing is taken for done before.

import './command-box.css'
import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { type Answer, type Command, type CommandField, commands } from '../client/command-list.js'
import type { CommandTarget, Values } from '../client/command-target.js'
import { readTexts } from '../client/command-texts.js'
import { numberText } from '../client/format.js'
import { asApiError } from '../client/resource.js'
import { may, mayCommand } from '../client/session.js'
import { useUnsaved } from '../client/unsaved.js'
import { AskToClose } from './ask.js'
import { Button } from './button.js'
import { hasContent } from './changed.js'
import { CommandFieldInput, firstOf, isPower, SchemaFields } from './command-fields.js'
import { Outcome, type Sent, toastOutcome } from './command-outcome.js'
import { Dialog } from './dialog.js'
import { Field } from './field.js'
import { Refused } from './refusal.js'

export interface CommandBoxProps {
  /** Whom it is sent to, in words. */
  readonly to: string
  readonly target: CommandTarget
  readonly name?: string
  readonly connectorId?: number
  readonly close: () => void
  /** What is to be known of those that it is sent to. */
  readonly children?: ComponentChildren
  /** Resolves with what the charger has said, which the box shows. Undefined where it is shown elsewhere. */
  readonly send: (command: Command, values: Values) => Promise<Answer> | undefined
}

const isFilled = ({ kind }: CommandField, text: string): boolean => (kind === 'kilowatts' ? isPower(text) : text !== '')

const sessionCommands = new Set(['start_session', 'stop_session'])

function isOpen(command: Command, { count, isBulk }: CommandTarget): boolean {
  if (command.isRaw === true && (count !== 1 || isBulk === true)) return false
  if (command.forOne === true && count !== 1) return false
  return mayCommand() || (sessionCommands.has(command.name) && may('write:sessions'))
}

export function CommandBox({ to, target, name, connectorId, close, children, send }: CommandBoxProps) {
  const open = commands.filter((one) => isOpen(one, target))
  // For several there is none that goes without saying.
  const [chosen, setChosen] = useState(name ?? (target.count === 1 ? (open[0]?.name ?? '') : ''))
  const [given, setGiven] = useState<Values>(connectorId === undefined ? {} : { connector_id: String(connectorId) })
  const [isSure, setSure] = useState(false)
  const [counted, setCounted] = useState('')
  const [sent, setSent] = useState<Sent>()
  const command = open.find((one) => one.name === chosen)
  const proposals = useRef(new Map<string, string>())
  const named = Object.fromEntries(
    (command?.fields ?? []).map((field) => [field.name, given[field.name] ?? proposed(field)]),
  )
  const schema = command?.schemaOf?.(named)
  const values = schema === undefined ? named : { ...given, ...named }
  const read = schema && readTexts(schema, values)
  const danger = command?.danger?.(target, values)
  const isCounted = command?.isCounted === true && target.count > 1
  const isConfirmed = isCounted ? counted.trim() === String(target.count) : danger === undefined || isSure
  const isComplete =
    command?.fields.every((field) => field.kind === 'time' || isFilled(field, values[field.name] ?? '')) === true &&
    (read === undefined || (read.missing.length === 0 && Object.keys(read.faults).length === 0))
  const isAsking = sent?.is === 'asking'
  const form = useRef<HTMLFormElement>(null)
  const [isLeaving, setLeaving] = useState(false)
  // The fields of a command are filled in again within seconds, and a message is not.
  const isUnsent = useRef(false)
  const losesMessage = (): boolean => schema !== undefined && isUnsent.current && hasContent(form.current)
  const unsaved = useUnsaved(losesMessage)
  const leave = (): void => (losesMessage() ? setLeaving(true) : close())
  const isGone = useRef(false)
  useEffect(
    () => () => {
      isGone.current = true
    },
    [],
  )
  const whyNot = !isComplete
    ? 'Fill in the fields of the command first.'
    : isConfirmed
      ? undefined
      : isCounted
        ? `Type ${target.count} first, the number of charge points that it is sent to.`
        : 'Say first that you are sure.'

  /** What stands in a field stays there, whatever the charger does meanwhile. */
  function proposed(field: CommandField): string {
    const name = `${chosen} ${field.name}`
    const first = proposals.current.get(name) || firstOf(field, target)
    proposals.current.set(name, first)
    return first
  }

  function unconfirm(): void {
    setSure(false)
    setCounted('')
  }

  function set(name: string, value: string): void {
    setGiven({ ...given, [name]: value })
    isUnsent.current = true
    unconfirm()
  }

  async function submit(event: Event): Promise<void> {
    event.preventDefault()
    if (command === undefined || whyNot !== undefined || isAsking) return
    const answer = send(command, values)
    if (answer === undefined) return
    isUnsent.current = false
    setSent({ is: 'asking', at: Date.now() })
    const became = await answer.then(
      (answer): Sent => ({ is: 'answered', answer }),
      (error): Sent => ({ is: 'failed', error: asApiError(error) }),
    )
    if (isGone.current) {
      toastOutcome(command, to, became)
      return
    }
    setSent(became)
    unconfirm()
  }

  return (
    <Dialog title={`Command to ${to}`} close={leave}>
      <form ref={form} class="command-box" onSubmit={(event) => void submit(event)}>
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
            onChange={(value) => set(field.name, value)}
          />
        ))}
        {schema !== undefined && read !== undefined && (
          <Refused error={sent?.is === 'failed' ? sent.error : undefined}>
            <SchemaFields key={values.action} schema={schema} texts={values} faults={read.faults} set={set} />
          </Refused>
        )}
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
          <Button type="submit" kind={danger === undefined ? 'primary' : 'danger'} whyNot={whyNot} disabled={isAsking}>
            {command?.button ?? 'Send'}
          </Button>
          <Button onClick={leave}>Close</Button>
        </div>
        <div role="status" aria-live="polite">
          {sent !== undefined && command !== undefined && <Outcome command={command} sent={sent} />}
        </div>
      </form>
      {isLeaving && (
        <AskToClose title="Close without sending?" unsaved={unsaved} stay={() => setLeaving(false)} close={close}>
          The message that you have typed is lost when you close it.
        </AskToClose>
      )}
    </Dialog>
  )
}
