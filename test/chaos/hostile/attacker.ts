// What an attack has at hand in its process: connections from addresses of its own, requests with the hostile organization's key, and
// figures. Everything that it has opened is dropped when it is stopped.

import { type Agent, Agent as HttpAgent, request as httpRequest } from 'node:http'
import { connect as connectTcp, type Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { connectWebSocket, type WebSocketClient } from '../../../bench/client/websocket.js'
import type { Answer } from '../../support/service.js'
import type { Attacker } from './attack.js'

export interface Target {
  readonly port: number
  readonly key: string
  readonly organizationId: string
  readonly chargePointIds: readonly string[]
  readonly index: number
  readonly processes: number
}

export interface StoppableAttacker extends Attacker {
  /** Returns what was counted. */
  stop(): Readonly<Record<string, number>>
}

const host = '127.0.0.1'
const againAfterMs = 50
const answerWithinMs = 30_000

/** The whole of 127/8 is this machine: attackers and neighbours have addresses of their own there. */
const addressOf = (number: number): string => `127.66.${(number >> 8) & 0xff}.${number & 0xff || 1}`

export function createAttacker(target: Target): StoppableAttacker {
  const { port, key, index, processes } = target
  const open = new Set<{ destroy(): void }>()
  const counts = new Map<string, number>()
  const agents = new Map<string, Agent>()
  let attacking = true
  const count = (what: string, by = 1): void => void counts.set(what, (counts.get(what) ?? 0) + by)
  const own = target.chargePointIds.filter((_, at) => at % processes === index)

  function agentOf(localAddress: string): Agent {
    const agent = agents.get(localAddress) ?? new HttpAgent({ keepAlive: true, localAddress } as object)
    agents.set(localAddress, agent)
    return agent
  }

  const attacker: StoppableAttacker = {
    get attacking() {
      return attacking
    },
    index,
    processes,
    chargePointIds: own,
    organizationId: target.organizationId,
    key,
    count,

    connect(chargePointId, heard) {
      return new Promise((resolve) => {
        const socket: WebSocketClient = connectWebSocket(
          {
            url: `ws://${host}:${port}/ocpp16/${chargePointId}`,
            subprotocols: ['ocpp1.6'],
            localAddress: addressOf(1 + index),
          },
          {
            opened() {
              open.add(socket)
              if (!attacking) socket.destroy()
              resolve(socket)
            },
            ...(heard !== undefined && { text: heard }),
            closed(code, _reason, refusal) {
              open.delete(socket)
              if (attacking) count(refusal === undefined ? `closed with ${code}` : `refused with ${refusal.statusCode}`)
              resolve(undefined)
            },
          },
        )
      })
    },

    dial(from = index) {
      return new Promise((resolve) => {
        const socket: Socket = connectTcp({ host, port, localAddress: addressOf(1 + from) }, () => {
          open.add(socket)
          if (!attacking) socket.destroy()
          resolve(socket)
        })
        socket.on('error', () => {})
        socket.on('close', () => {
          open.delete(socket)
          resolve(undefined)
        })
      })
    },

    request(method, path, body, options = {}) {
      return new Promise((resolve) => {
        const text = body === undefined ? undefined : JSON.stringify(body)
        const headers = {
          authorization: `Bearer ${key}`,
          ...(text !== undefined && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...(options.headers as Record<string, string> | undefined),
        }
        const localAddress = options.localAddress ?? addressOf(1 + index)
        const asked = httpRequest(
          { host, port, method, path, agent: agentOf(localAddress), timeout: answerWithinMs, ...options, headers },
          (response) => {
            const chunks: Buffer[] = []
            response.on('data', (chunk: Buffer) => chunks.push(chunk))
            response.once('error', () => resolve(undefined))
            response.once('end', () => {
              const status = response.statusCode ?? 0
              const answered = Buffer.concat(chunks).toString()
              const json = String(response.headers['content-type']).includes('json') && answered !== ''
              count(`HTTP ${status}`)
              const answer = { status, headers: new Headers(), body: json ? JSON.parse(answered) : answered }
              resolve(answer satisfies Answer)
            })
          },
        )
        asked.once('timeout', () => asked.destroy())
        asked.once('error', () => resolve(undefined))
        asked.end(text)
      })
    },

    async eachChargePoint(act) {
      await Promise.all(
        own.map(async (chargePointId) => {
          while (attacking) {
            const socket = await attacker.connect(chargePointId)
            if (socket !== undefined) await act(socket, chargePointId)
            await attacker.pause(againAfterMs)
          }
        }),
      )
    },

    async lanes(lanes, act) {
      await Promise.all(
        Array.from({ length: lanes }, async (_, lane) => {
          while (attacking) {
            await act(lane)
            await attacker.pause(0)
          }
        }),
      )
    },

    pause: (ms) => (ms > 0 ? delay(ms) : new Promise((resolve) => setImmediate(resolve))),

    stop() {
      attacking = false
      for (const one of [...open]) one.destroy()
      for (const agent of agents.values()) agent.destroy()
      return Object.fromEntries(counts)
    },
  }
  return attacker
}
