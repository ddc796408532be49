// Operators of a world: they send commands through the same code that the API's routes use, one at a time, to many charge
// points at once, and now and then far more than a charge point takes; what they are told goes to the oracle.

import { runBulkCommand, runCommand } from '../../src/api/areas/commands/run-command.js'
import type { Services } from '../../src/api/pipeline/services.js'
import type { Principal } from '../../src/api/surfaces/principal.js'
import { AmpshardError } from '../../src/runtime/errors.js'
import type { Faults } from './faults.js'
import type { CommandOracle } from './oracle/commands.js'
import { organizationIdOf } from './organizations.js'
import type { SimulatedFront } from './service.js'

export interface OperatorOptions {
  readonly faults: Faults
  readonly chargePointIds: (organization: number) => readonly string[]
  readonly organizations: number
  readonly oracle: CommandOracle
}

export interface Operators {
  /** One operator does something, over this front. */
  act(front: SimulatedFront): void
  /** The process that was asked is gone. */
  orphan(): void
}

const actions = ['ChangeAvailability', 'UnlockConnector', 'GetConfiguration', 'ClearCache', 'TriggerMessage'] as const

export function createOperators(options: OperatorOptions): Operators {
  const { faults, oracle } = options
  const { random } = faults
  const waiting = new Set<string>()
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item

  /** What a route gets; the ids that it makes are those that the oracle waits for. */
  function servicesOf(front: SimulatedFront, made: (commandId: string) => void): Services {
    return {
      ...front.services,
      newId(prefix) {
        const id = front.services.newId(prefix)
        if (prefix === 'cmd') made(id)
        return id
      },
    }
  }

  function principalOf(organization: number): Principal {
    const principal = {
      key: { key_id: 'key_1' },
      organization: { organization_id: organizationIdOf(organization) },
    }
    return principal as Principal
  }

  function tell(commandId: string, told: Parameters<CommandOracle['told']>[1]): void {
    if (waiting.delete(commandId)) oracle.told(commandId, told)
  }

  function failed(commandIds: readonly string[], error: unknown): void {
    if (!(error instanceof AmpshardError)) throw error
    for (const id of commandIds) tell(id, { type: 'failed', code: error.code })
  }

  function one(front: SimulatedFront, organization: number, chargePointId: string): void {
    const timeoutMs = 5_000 + Math.floor(random() * 25_000)
    const ids: string[] = []
    const services = servicesOf(front, (id) => {
      ids.push(id)
      waiting.add(id)
      oracle.asked(id, chargePointId, timeoutMs, 0)
    })
    const action = pick(actions)
    const call = { action, payload: payloadOf(action) }
    runCommand(
      principalOf(organization),
      { chargePointId, command: action, parameters: {}, call, timeoutMs },
      services,
    ).then(
      ({ record }) => tell(record.command_id, { type: 'status', status: record.status }),
      (error: unknown) => failed(ids, error),
    )
  }

  function many(front: SimulatedFront, organization: number): void {
    const timeoutMs = 5_000 + Math.floor(random() * 10_000)
    const continueOnFailure = random() < 0.7
    const known = options.chargePointIds(organization)
    const chosen = [...new Set(Array.from({ length: 2 + Math.floor(random() * 10) }, () => pick(known)))]
    const patienceMs = continueOnFailure ? 0 : timeoutMs * chosen.length
    const ids: string[] = []
    const services = servicesOf(front, (id) => {
      const chargePointId = chosen[ids.length] as string
      ids.push(id)
      waiting.add(id)
      // Those that wait for their turn have no deadline yet.
      oracle.asked(id, chargePointId, continueOnFailure || ids.length === 1 ? timeoutMs : 0, patienceMs + timeoutMs)
    })
    const call = { action: 'ClearCache', payload: {} }
    const targets = chosen.map((chargePointId) => ({ chargePointId, call }))
    runBulkCommand(
      principalOf(organization),
      { command: 'ClearCache', parameters: {}, timeoutMs, continueOnFailure, targets },
      services,
    ).then(
      ({ results }) => {
        for (const { command_id: id, status } of results)
          tell(id, { type: 'status', status: status === 'Offline' ? 'Error' : status })
      },
      (error: unknown) => failed(ids, error),
    )
  }

  return {
    act(front) {
      const organization = Math.floor(random() * options.organizations)
      const chargePointId = pick(options.chargePointIds(organization))
      const dice = random()
      if (dice < 0.1) many(front, organization)
      else if (dice < 0.105) for (let times = 0; times < 60; times++) one(front, organization, chargePointId)
      else one(front, organization, chargePointId)
    },
    orphan() {
      for (const id of waiting) oracle.orphaned(id)
      waiting.clear()
    },
  }
}

function payloadOf(action: (typeof actions)[number]): Record<string, unknown> {
  if (action === 'ChangeAvailability') return { connectorId: 1, type: 'Operative' }
  if (action === 'UnlockConnector') return { connectorId: 1 }
  if (action === 'TriggerMessage') return { requestedMessage: 'BootNotification' }
  return {}
}
