// The charge points that are chosen, and a command to all of them: what is known of them before it is sent, and then what each of them answers.

import { useState } from 'preact/hooks'
import { parametersOf } from '../../client/command-list.js'
import { beginRun, type CommandRun } from '../../client/command-runs.js'
import type { CommandTarget } from '../../client/command-target.js'
import { chosen, fleet } from '../../client/fleet.js'
import { fleetStates } from '../../client/fleet-store.js'
import { numberText } from '../../client/format.js'
import { CommandBox } from '../../parts/command-box.js'
import { CommandRunView } from '../../parts/command-run.js'
import { Dialog } from '../../parts/dialog.js'

const isCharging = (row: number): boolean => /[CVE]/.test(fleet.connectors[row] ?? '')
const offline = fleetStates.indexOf('Offline')
const mostConnectors = 16

interface Selection {
  readonly target: CommandTarget
  readonly offline: number
  /** Chosen, but not among those that the list shows now. */
  readonly hidden: number
}

function selectionOf(ids: ReadonlySet<string>, shown: Int32Array): Selection {
  const listed = new Set(shown)
  let [count, charging, away, most, hidden] = [0, 0, 0, 0, 0]
  for (const id of ids) {
    const row = fleet.placeOf(id)
    if (row === undefined) continue
    count++
    if (isCharging(row)) charging++
    if (fleet.state[row] === offline) away++
    if (!listed.has(row)) hidden++
    most = Math.max(most, fleet.connectors[row]?.length ?? 0)
  }
  return {
    target: {
      count,
      charging,
      connectors: Array.from({ length: Math.min(mostConnectors, most) }, (_, at) => at + 1),
      sessions: [],
      isBulk: true,
    },
    offline: away,
    hidden,
  }
}

const plural = (count: number): string => `${numberText(count)} ${count === 1 ? 'charge point' : 'charge points'}`

export function SelectionCommand({ shown, close }: { readonly shown: Int32Array; readonly close: () => void }) {
  // What is sent is what stood there when it was opened.
  const [ids] = useState(() => [...chosen.peek()].filter((id) => fleet.placeOf(id) !== undefined))
  const [{ target, offline: away, hidden }] = useState(() => selectionOf(new Set(ids), shown))
  const [run, setRun] = useState<CommandRun>()
  if (run !== undefined) return <RunDialog run={run} close={close} />
  return (
    <CommandBox
      to={plural(target.count)}
      target={target}
      close={close}
      send={(command, values) => {
        setRun(beginRun(command, parametersOf(command, values), ids))
        return undefined
      }}
    >
      {(away > 0 || hidden > 0) && (
        <p class="sub">
          {away > 0 &&
            `${numberText(away)} of them ${away === 1 ? 'is' : 'are'} not connected: nothing is sent there. `}
          {hidden > 0 &&
            `${numberText(hidden)} of them ${hidden === 1 ? 'is' : 'are'} not among those that the list shows now.`}
        </p>
      )}
    </CommandBox>
  )
}

function RunDialog({ run, close }: { readonly run: CommandRun; readonly close: () => void }) {
  const [outcome, setOutcome] = useState<string>()
  const [text, setText] = useState('')
  return (
    <Dialog title={run.command.title} close={close} wide>
      <CommandRunView run={run} outcome={outcome} setOutcome={setOutcome} text={text} setText={setText} />
    </Dialog>
  )
}
