// A charge point with configuration keys over an actor without sockets: it answers ChangeConfiguration and GetConfiguration, in the
// ways that charge points in the field do.

import type { ActorOverStore } from './actor-over-store.js'

const organization = 'org_1'

/** `reboots`: it does not take the value, and is away before it answers. */
type ChangeHabit =
  | 'Accepted'
  | 'Rejected'
  | 'NotSupported'
  | 'RebootRequired'
  | 'ignores'
  | 'reboots'
  | 'takes-and-reboots'
  | 'silent'

export interface ConfigurableOptions {
  readonly keys: Readonly<Record<string, string>>
  readonly readOnly?: readonly string[]
  /** How it answers to a change of a key; Accepted otherwise. */
  readonly habits?: Readonly<Record<string, ChangeHabit>>
  /** Longer lists of keys it answers with an error. */
  readonly most?: number
  /** It restarts when one of these is read. */
  readonly rebootsWhenRead?: readonly string[]
  readonly writeOnly?: readonly string[]
}

export interface Configurable {
  readonly actor: ActorOverStore
  readonly keys: Map<string, string>
  /** What it was sent: `Get A,B`, `Change A=1`. */
  readonly calls: string[]
  /** Connects, and boots; keeps the interval that it is answered as its HeartbeatInterval, if it has that key (OCPP 1.6, 4.2). */
  connect(boot?: Readonly<Record<string, string>>): Promise<void>
  reboot(boot?: Readonly<Record<string, string>>): Promise<void>
  /** Loses its connection for so long, without a restart. */
  reconnect(awayMs: number): Promise<void>
  /** Answers calls until there are none, or it has restarted. */
  answer(): Promise<void>
  answerOne(): Promise<void>
  /** Answers, restarts where it does, and lets the time pass that the service waits for it, until nothing more comes. */
  settle(): Promise<void>
  pass(ms: number): Promise<void>
  apply(keys: Readonly<Record<string, string>>, applicationId?: string, organizationId?: string): Promise<unknown>
}

export function configurable(actor: ActorOverStore, options: ConfigurableOptions): Configurable {
  const { habits = {}, most = Number.POSITIVE_INFINITY, readOnly = [], rebootsWhenRead = [], writeOnly = [] } = options
  const keys = new Map(Object.entries(options.keys))
  const calls: string[] = []
  let connection = 0
  let heard = 0
  let away = false

  const nameOf = (wanted: string): string | undefined =>
    [...keys.keys()].find((key) => key.toLowerCase() === wanted.toLowerCase())

  function get(wanted: readonly string[]): object | undefined {
    if (wanted.some((key) => rebootsWhenRead.includes(key))) {
      away = true
      return undefined
    }
    if (wanted.length > most) return []
    const known = wanted.map((key) => nameOf(key) ?? '').filter((key) => keys.has(key) && !writeOnly.includes(key))
    const configurationKey = known.map((key) => ({ key, readonly: readOnly.includes(key), value: keys.get(key) }))
    const unknownKey = wanted.filter((key) => !known.includes(nameOf(key) ?? ''))
    return { configurationKey, ...(unknownKey.length > 0 && { unknownKey }) }
  }

  function change(wanted: string, value: string): object | undefined {
    const key = nameOf(wanted) ?? wanted
    const habit = habits[wanted] ?? (readOnly.includes(key) ? 'Rejected' : 'Accepted')
    if (habit === 'silent') return undefined
    if (habit === 'reboots' || habit === 'takes-and-reboots') {
      if (habit === 'takes-and-reboots') keys.set(key, value)
      away = true
      return undefined
    }
    if (habit === 'Accepted') keys.set(key, value)
    return { status: habit === 'ignores' ? 'Accepted' : habit }
  }

  async function answer(atMost = Number.POSITIVE_INFINITY): Promise<void> {
    for (const until = calls.length + atMost; heard < actor.said.length && !away && calls.length < until; heard++) {
      const line = actor.said[heard] as string
      if (!line.startsWith(`${connection} [2,`)) continue
      const [, id, action, payload] = JSON.parse(line.slice(line.indexOf('[')))
      if (action !== 'ChangeConfiguration' && action !== 'GetConfiguration') continue
      const isGet = action === 'GetConfiguration'
      calls.push(isGet ? `Get ${payload.key.join()}` : `Change ${payload.key}=${payload.value}`)
      const answered = isGet ? get(payload.key) : change(payload.key, payload.value)
      if (Array.isArray(answered)) await actor.frame(connection, [4, id, 'InternalError', 'too many keys', {}])
      else if (answered !== undefined) await actor.frame(connection, [3, id, answered])
    }
  }

  async function pass(ms: number): Promise<void> {
    actor.clock.wall += ms
    actor.clock.monotonic += ms
    await actor.wake()
  }

  async function attach(): Promise<void> {
    away = false
    connection++
    heard = actor.said.length
    await actor.attach(connection, connection)
  }

  async function connect(boot: Readonly<Record<string, string>> = {}): Promise<void> {
    await attach()
    const sent = { chargePointVendor: 'V', chargePointModel: 'M', ...boot }
    const { interval } = await actor.call(connection, 'BootNotification', sent)
    if (keys.has('HeartbeatInterval')) keys.set('HeartbeatInterval', String(interval))
  }

  async function reboot(boot?: Readonly<Record<string, string>>): Promise<void> {
    await actor.detach(connection)
    await pass(30_000)
    await connect(boot)
  }

  return {
    actor,
    keys,
    calls,
    connect,
    reboot,
    async reconnect(awayMs) {
      await actor.detach(connection)
      await pass(awayMs)
      await attach()
    },
    answer: () => answer(),
    answerOne: () => answer(1),
    pass,
    async settle() {
      for (let quiet = 0; quiet < 5; ) {
        const before = calls.length
        await answer()
        if (away) await reboot()
        await pass(10_000)
        await answer()
        quiet = calls.length === before ? quiet + 1 : 0
      }
    },
    apply: (wanted, applicationId = 'cfg_1', organizationId = organization) =>
      actor.ask({
        type: 'apply-configuration',
        applicationId,
        organizationId,
        keys: Object.entries(wanted).map(([key, value]) => ({ key, value })),
        begunBy: 'api_key:1',
      }),
  }
}
