// What an attack is: a file in attacks/, and its line in the list there. It runs in processes of its own, and goes on until it is stopped.

import type { RequestOptions } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocketClient } from '../../../bench/client/websocket.js'
import type { Tenant } from '../../support/organization.js'
import type { Answer } from '../../support/service.js'

export interface Attack {
  /** Its file's name. */
  readonly name: string
  /** The finding that it shows, where there is one. */
  readonly finding?: string
  /** What the attackers do, in one sentence. */
  readonly does: string
  /** Charge points of the hostile organization, registered and without passwords. */
  readonly chargePoints?: number
  /** Flags of the service, beside those that all attacks run with. */
  readonly flags?: readonly string[]
  /** What the party may make the service keep while it attacks, in bytes of the data directory. */
  readonly keptBytes?: number
  /** What has to be there before, made as an honest tenant would. */
  prepare?(ground: Ground): Promise<void>
  /** Runs in each of the attackers' processes; resolves soon after `attacker.attacking` is false. */
  run(attacker: Attacker): Promise<void>
}

export interface Ground {
  /** The service as the hostile organization sees it. */
  readonly tenant: Tenant
  readonly chargePointIds: readonly string[]
}

/** What an attack needs in its process. All that it opens is dropped when the attack is stopped. */
export interface Attacker {
  readonly attacking: boolean
  /** Which of the processes it is, from 0, and how many there are. */
  readonly index: number
  readonly processes: number
  /** Those of the hostile organization's charge points that are this process's. */
  readonly chargePointIds: readonly string[]
  readonly organizationId: string
  /** The hostile organization's. */
  readonly key: string
  /** Adds to the figures of the attack: what was sent, refused, answered. */
  count(what: string, by?: number): void
  /** Resolves with a socket that is open, or undefined when it was refused. */
  connect(chargePointId: string, heard?: (text: string) => void): Promise<WebSocketClient | undefined>
  /** A connection with nothing on it. `from` numbers the addresses that the attack comes from. */
  dial(from?: number): Promise<Socket | undefined>
  /** With the key of the hostile organization. Undefined when there was no answer. */
  request(method: string, path: string, body?: unknown, options?: RequestOptions): Promise<Answer | undefined>
  /** Each of the charge points is connected, does it, and comes back when it was thrown out. */
  eachChargePoint(act: (socket: WebSocketClient, chargePointId: string) => Promise<void>): Promise<void>
  /** Does it in so many lanes at a time, again and again. */
  lanes(count: number, act: (lane: number) => Promise<void>): Promise<void>
  pause(ms: number): Promise<void>
}

export const defineAttack = (attack: Attack): Attack => attack
