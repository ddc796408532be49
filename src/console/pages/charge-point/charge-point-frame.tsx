// What stands above every page of a charge point: its name and state, facts about it, what can be done, and the tabs. An id that nobody has registered
// and that knocks has no tabs: it shows why it is refused.

import './charge-point-frame.css'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Link, useLocation } from 'wouter-preact'
import type { FrameProps } from '../../app/pages.js'
import { api, ask } from '../../client/api.js'
import { sendCommand } from '../../client/command-list.js'
import type { CommandTarget } from '../../client/command-target.js'
import { useChanges } from '../../client/fleet.js'
import { agoText, durationText, momentText } from '../../client/format.js'
import { useKeys } from '../../client/keys.js'
import { neighboursOf } from '../../client/neighbours.js'
import { useResource } from '../../client/resource.js'
import { may, mayCommand } from '../../client/session.js'
import { isPhone } from '../../client/viewport.js'
import { Button } from '../../parts/button.js'
import { Tag } from '../../parts/chip.js'
import { CommandBox } from '../../parts/command-box.js'
import { type Fact, Facts } from '../../parts/facts.js'
import { Icon, type IconName } from '../../parts/icon.js'
import { Menu, type MenuItem } from '../../parts/menu.js'
import { type ConnectorState, StateLabel, stateNames } from '../../parts/state-glyph.js'
import { Loaded } from '../../parts/states.js'
import { Tabs } from '../../parts/tabs.js'
import { ChangeDialog, MoveDialog, RemoveDialog } from './change-dialogs.js'
import { needsElectrician } from './fault-words.js'
import { HereContext, isSilent, type State, stateOfWhole, useHere } from './here.js'
import { PasswordDialog } from './password-dialog.js'
import { Unregistered } from './unregistered.js'

/** Where nobody says that it has changed, and where the fleet does: time passes there too. */
const everySeconds = 5
const everySecondsFollowed = 30
const agesEveryMs = 5_000

export function Frame({ params, tabs, children }: FrameProps) {
  const id = params.charge_point_id ?? ''
  const changes = useChanges(id)
  const state = useResource(
    (signal) =>
      ask(
        api.GET('/api/v1/chargepoints/{charge_point_id}/state', { params: { path: { charge_point_id: id } }, signal }),
      ),
    [id],
    { everySeconds: changes === undefined ? everySeconds : everySecondsFollowed },
  )
  const seen = useRef(changes)
  useEffect(() => {
    if (changes !== undefined && changes !== seen.current) state.reload()
    seen.current = changes
  }, [changes])
  // What is told as so long ago gets older.
  const [, setDrawn] = useState(0)
  useEffect(() => {
    const timer = setInterval(() => setDrawn((count) => count + 1), agesEveryMs)
    return () => clearInterval(timer)
  }, [])
  const [command, setCommand] = useState<{ readonly name?: string; readonly connectorId?: number }>()
  const [isMakingPassword, setMakingPassword] = useState(false)
  const openCommand = (name?: string, connectorId?: number) =>
    setCommand({ ...(name !== undefined && { name }), ...(connectorId !== undefined && { connectorId }) })
  if (state.data === undefined && state.error?.status === 404) return <Unregistered id={id} reload={state.reload} />
  return (
    <HereContext.Provider value={{ id, state, command: openCommand, password: () => setMakingPassword(true) }}>
      <Loaded of={state}>
        {(data) => (
          <div class="charge-point">
            <Head data={data} reload={state.reload} />
            <Tabs label="Charge point" tabs={tabs} />
            {children}
          </div>
        )}
      </Loaded>
      {command !== undefined && state.data !== undefined && (
        <CommandBox
          to={id}
          target={targetOf(state.data)}
          {...command}
          close={() => setCommand(undefined)}
          send={(what, values) => sendCommand(what, id, values).finally(state.reload)}
        />
      )}
      {isMakingPassword && state.data !== undefined && (
        <PasswordDialog data={state.data} close={() => setMakingPassword(false)} done={state.reload} />
      )}
    </HereContext.Provider>
  )
}

function targetOf({ connectors }: State): CommandTarget {
  const sessions = connectors.flatMap(({ connector_id, session }) =>
    session === null ? [] : [{ connectorId: connector_id, transactionId: session.transaction_id }],
  )
  return {
    count: 1,
    connectors: connectors.map(({ connector_id }) => connector_id),
    statuses: new Map(connectors.map(({ connector_id, status }) => [connector_id, status])),
    sessions,
    charging: sessions.length,
    dangerous: connectors.flatMap(({ connector_id, status, error_code }) =>
      status === 'Faulted' && needsElectrician(error_code) ? [connector_id] : [],
    ),
  }
}

export function factsOf(data: State): readonly Fact[] {
  const { boot } = data
  return [
    {
      name: 'Model',
      value:
        boot === null
          ? null
          : `${boot.vendor} ${boot.model}${boot.serial_number === null ? '' : `, serial ${boot.serial_number}`}`,
    },
    { name: 'Firmware', value: boot?.firmware_version },
    {
      name: data.online ? 'Connected' : 'Offline',
      value: data.online
        ? connectedText(data)
        : data.disconnected_at === null
          ? null
          : `for ${durationText(secondsSince(data.disconnected_at))}`,
    },
    { name: 'Security', value: securityText(data) },
    { name: 'Last heard', value: data.last_seen_at === null ? null : agoText(data.last_seen_at) },
    { name: 'Clock', value: clockText(data) },
  ]
}

const secondsSince = (at: string): number => (Date.now() - Date.parse(at)) / 1_000

function connectedText({ connected_at, remote_address }: State): string | null {
  if (connected_at === null) return null
  return `for ${durationText(secondsSince(connected_at))}${remote_address === null ? '' : ` from ${remote_address}`}`
}

function securityText({ security_profile, over_tls, password_set }: State): string | null {
  if (security_profile === null) return password_set ? 'with a password' : null
  const ways = [
    over_tls === true && 'TLS',
    security_profile === 3 && 'certificate',
    (security_profile === 1 || security_profile === 2) && 'password',
  ].filter(Boolean)
  return `profile ${security_profile}${ways.length === 0 ? ', no password' : `, ${ways.join(' and ')}`}`
}

function clockText({ clock_offset_seconds: offset }: State): string | null {
  if (offset === null || offset === 0) return null
  return `${durationText(Math.abs(offset))} ${offset > 0 ? 'behind' : 'ahead'}`
}

interface HeadProps {
  readonly data: State
  readonly reload: () => void
}

type Dialog = 'change' | 'move' | 'remove'

/** What a technician does most comes first: a phone has room for so many buttons, and the others are in the menu. */
const mostOnPhone = 3

interface Action extends MenuItem {
  readonly icon: IconName
  /** The key that does it as well. */
  readonly key?: string
}

function Head({ data, reload }: HeadProps) {
  const { command, password } = useHere()
  const [location, navigate] = useLocation()
  const [dialog, setDialog] = useState<Dialog>()
  const mayChange = may('write:charge_points')
  const isCommanded = mayCommand()
  const mayStart = isCommanded || may('write:sessions')
  const { previous, next, place } = neighboursOf(data.charge_point_id) ?? {
    previous: data.previous_charge_point_id,
    next: data.next_charge_point_id,
    place: undefined,
  }
  // Whoever goes through several of them looks at the same of each.
  const hrefOf = (id: string): string =>
    location.replace(/^\/charge-points\/[^/]+/, () => `/charge-points/${encodeURIComponent(id)}`)
  const goTo = (id: string | null) => id !== null && navigate(hrefOf(id))
  useKeys([
    { keys: '[', does: 'Previous charge point', run: () => goTo(previous) },
    { keys: ']', does: 'Next charge point', run: () => goTo(next) },
    ...(mayStart && data.online ? [{ keys: 'c', does: 'Send a command', run: () => command() }] : []),
  ])
  const state = stateOfWhole(data)
  const hasSession = data.connectors.some(({ session }) => session !== null)
  const offline = data.online ? undefined : 'It is offline: commands can be sent once it has connected.'
  const close = () => setDialog(undefined)
  const start: Action = { name: 'Start', icon: 'play', whyNot: offline, run: () => command('start_session') }
  const stop: Action = {
    name: 'Stop',
    icon: 'square',
    whyNot: offline ?? (hasSession ? undefined : 'Nothing charges at it, so that there is no session to stop.'),
    run: () => command('stop_session'),
  }
  const ofCommanders: readonly Action[] = [
    { name: 'Unlock', icon: 'lock-open', whyNot: offline, run: () => command('unlock_connector') },
    { name: 'Limit power', icon: 'sliders-horizontal', whyNot: offline, run: () => command('set_power_limit') },
    { name: 'Reset', icon: 'rotate-ccw', whyNot: offline, run: () => command('soft_reset') },
  ]
  const any: Action = { name: 'Any command', icon: 'terminal', key: 'c', whyNot: offline, run: () => command() }
  const actions = [...(mayStart ? [start, stop] : []), ...(isCommanded ? ofCommanders : []), ...(mayStart ? [any] : [])]
  const shown = isPhone.value ? actions.slice(0, mostOnPhone) : actions
  const others: readonly MenuItem[] = [
    ...actions.slice(shown.length),
    ...(mayChange
      ? ([
          { name: 'Change what is said of it', icon: 'pencil', run: () => setDialog('change') },
          { name: 'Move it to another site', icon: 'map-pin', run: () => setDialog('move') },
          { name: 'Make a new password', icon: 'key-round', run: password },
          { name: 'Remove the charge point', icon: 'trash', kind: 'danger', run: () => setDialog('remove') },
        ] as const)
      : []),
  ]
  return (
    <div class="page-head charge-point-head">
      <div class="line">
        <h1>
          <span class="mono">{data.charge_point_id}</span>
        </h1>
        <StateLabel state={state}>{data.online ? stateWords(data) : offlineWords(data)}</StateLabel>
        {data.open_alerts.length > 0 && (
          <Tag kind="warn" title={data.open_alerts.map(({ message }) => message).join('\n')}>
            {data.open_alerts.length === 1 ? '1 alert' : `${data.open_alerts.length} alerts`}
          </Tag>
        )}
        <span class="actions">
          {shown.map(({ name, icon, key, whyNot, run }) => (
            <Button key={name} small icon={icon} whyNot={whyNot} onClick={run}>
              {name} {key !== undefined && <kbd>{key}</kbd>}
            </Button>
          ))}
          {others.length > 0 && (
            <Menu
              label="More"
              isWordless
              class="button plain small square"
              button={<Icon name="ellipsis" small />}
              items={others}
            />
          )}
        </span>
      </div>
      <div class="line of-facts">
        <Facts inline of={[{ name: 'Name', value: data.name }, ...factsOf(data)]} />
        <span class="beside">
          {place !== undefined && <small class="dim">{place}</small>}
          {previous !== null && (
            <Link href={hrefOf(previous)} title={`Previous: ${previous}`} aria-label="Previous charge point">
              <Icon name="chevron-left" small />
            </Link>
          )}
          {next !== null && (
            <Link href={hrefOf(next)} title={`Next: ${next}`} aria-label="Next charge point">
              <Icon name="chevron-right" small />
            </Link>
          )}
        </span>
      </div>
      {dialog === 'change' && <ChangeDialog id={data.charge_point_id} close={close} done={reload} />}
      {dialog === 'move' && <MoveDialog data={data} close={close} done={reload} />}
      {dialog === 'remove' && <RemoveDialog data={data} close={close} />}
    </div>
  )
}

function stateWords(data: State): string {
  const { connectors } = data
  if (isSilent(data)) return 'Connected, not ready'
  const state = stateOfWhole(data)
  const inState = connectors.filter(({ status }) => status === state).length
  const place = connectors.length > 1 && inState > 0 ? ` at ${inState} of ${connectors.length}` : ''
  return `${stateNames[state]}${isOfConnectors.includes(state) ? place : ''}`
}

/** Where it matters at how many of its connectors it is so. */
const isOfConnectors: readonly ConnectorState[] = ['Charging', 'SuspendedEV', 'SuspendedEVSE', 'Faulted']

function offlineWords({ disconnected_at, connected_at }: State): string {
  if (disconnected_at !== null) return `Offline for ${durationText(secondsSince(disconnected_at))}`
  return connected_at === null ? 'Never connected' : `Offline, last connected ${momentText(connected_at)}`
}
