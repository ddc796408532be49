// Commands of the partner (OCPI 2.2.1, 13): what is answered at once, and the result, which is awaited for as long as the answer says.

import type { CommandResponse, CommandResult, CommandResultType, CommandType } from '../../src/ocpi/schemas/command.js'
import { faultsIn } from './check-object.js'
import type { Client } from './client.js'
import { endpointOf, type Operator } from './handshake.js'
import type { Journal } from './journal.js'
import { type Incoming, invalid, notFound, type Reply, wrongMethod } from './server.js'

export interface SentCommand {
  readonly response: CommandResponse
  /** Rejects where the command was not accepted, and where no result has come in time. */
  readonly result: Promise<CommandResult>
}

export interface Commands {
  /** `response_url` is added to what is said. */
  send(command: CommandType, fields: object): Promise<SentCommand>
  /** A result. */
  receive(incoming: Incoming): Reply
  close(): void
}

export interface CommandsOptions {
  readonly client: Client
  readonly journal: Journal
  readonly operator: () => Operator
  /** Where the partner's module of commands is. */
  readonly url: () => string
}

interface Awaited {
  readonly command: CommandType
  /** Undefined while nobody has said whether it is accepted. */
  response: CommandResponse | undefined
  resolve(result: CommandResult): void
  reject(error: Error): void
  /** The result that has come. */
  come: CommandResultType | undefined
  timer: NodeJS.Timeout | undefined
}

const wordsOf = ({ message = [] }: CommandResponse | CommandResult): string => message.map(({ text }) => text).join(' ')

export function createCommands({ client, journal, operator, url }: CommandsOptions): Commands {
  const awaited = new Map<string, Awaited>()

  function answered(one: Awaited, response: CommandResponse): void {
    one.response = response
    const { command } = one
    journal.note({ type: 'response', command, result: response.result, words: wordsOf(response) })
    if (response.result !== 'ACCEPTED') {
      if (one.come !== undefined) journal.fault(command, `a result has come, and the command was not accepted`)
      one.reject(new Error(`${command} was not accepted: ${response.result}. ${wordsOf(response)}`))
      return
    }
    if (one.come !== undefined) return
    one.timer = setTimeout(() => {
      journal.fault(command, `no result has come within ${response.timeout} seconds`)
      one.reject(new Error(`no result of ${command} has come within ${response.timeout} seconds`))
    }, response.timeout * 1_000)
  }

  return {
    async send(command, fields) {
      const { endpoints, token, party: to } = operator()
      const endpoint = endpointOf({ endpoints }, 'commands', 'RECEIVER')
      if (endpoint === undefined) throw new Error('the operator takes no commands')
      const id = String(awaited.size + 1)
      let one: Awaited | undefined
      const result = new Promise<CommandResult>((resolve, reject) => {
        one = { command, response: undefined, resolve, reject, come: undefined, timer: undefined }
        awaited.set(id, one)
      })
      // Whoever waits for it hears of it all the same.
      result.catch(() => {})
      const body = { response_url: `${url()}/${command}/${id}`, ...fields }
      const { data } = await client.call({ method: 'POST', url: `${endpoint}/${command}`, token, to, body })
      const faults = faultsIn('response', data)
      for (const words of faults) journal.fault(`the answer to ${command}`, words)
      if (faults.length > 0) throw new Error(`the answer to ${command} is no CommandResponse`)
      answered(one as unknown as Awaited, data as CommandResponse)
      return { response: data as CommandResponse, result }
    },

    receive({ method, path, json }) {
      const [command, id = ''] = path
      const one = awaited.get(id)
      if (one === undefined || one.command !== command || path.length > 2) return notFound('there is no such command')
      if (method !== 'POST') return wrongMethod('a result is sent with POST')
      const faults = faultsIn('result', json)
      for (const words of faults) journal.fault(`the result of ${command}`, words)
      if (faults.length > 0) return invalid(faults.join('; '))
      const { result } = json as CommandResult
      // The operator may take a reservation back after it was made (13.4.2), and repeat a result whose answer it has not got.
      const isTakenBack = command === 'RESERVE_NOW' && result === 'CANCELED_RESERVATION'
      if (one.come !== undefined && one.come !== result && !isTakenBack)
        journal.fault(command, `its result is ${result}, and ${one.come} has come before`)
      if (one.response !== undefined && one.response.result !== 'ACCEPTED')
        journal.fault(command, 'a result has come, and the command was not accepted')
      one.come = result
      clearTimeout(one.timer)
      journal.note({ type: 'result', command: one.command, result, words: wordsOf(json as CommandResult) })
      one.resolve(json as CommandResult)
      return {}
    },

    close() {
      for (const { timer } of awaited.values()) clearTimeout(timer)
    },
  }
}
