// What became of a command to one charge point: that it was asked, what the charger has said, or why there is no answer and what can be done about that.

import type { ApiError } from '../client/api.js'
import { type Answer, type Command, isTakenStatus } from '../client/command-list.js'
import { Icon } from './icon.js'
import { JsonView } from './json-view.js'
import { toast } from './toast.js'

export type Sent =
  | { readonly is: 'asking'; readonly at: number }
  | { readonly is: 'answered'; readonly answer: Answer }
  | { readonly is: 'failed'; readonly error: ApiError }

const isTaken = (sent: Sent): boolean => sent.is === 'answered' && isTakenStatus(sent.answer.status)

/** In a sentence or two. Undefined for an error that only the service has words for. */
function wordsOf(command: Command, sent: Sent): string | undefined {
  switch (sent.is) {
    case 'asking':
      return 'Asked. Waiting for what the charger says.'
    case 'answered': {
      const { status, milliseconds } = sent.answer
      if (!isTaken(sent))
        return unknownWords[status] ?? refusedWords(command, `The charger has not done it: ${status}.`)
      const after = milliseconds === null ? '' : ` after ${milliseconds} ms`
      return `The charger has taken it${after}.${laterWords[status] ?? ''}`
    }
    default: {
      const said = failedWords[sent.error.code]
      return said !== undefined && sent.error.code === 'ocpp_rejected' ? refusedWords(command, said) : said
    }
  }
}

/** For whoever has closed the box meanwhile. */
export function toastOutcome(command: Command, to: string, sent: Sent): void {
  const failure = sent.is === 'failed' ? sent.error : undefined
  const words = wordsOf(command, sent) ?? failure?.message ?? ''
  toast(`${to}, “${command.title}”: ${words}`, isTaken(sent) ? 'done' : 'failed', failure?.code)
}

export function Outcome({ command, sent }: { readonly command: Command; readonly sent: Sent }) {
  const words = wordsOf(command, sent)
  switch (sent.is) {
    case 'asking':
      return (
        <p class="outcome">
          <Icon name="hourglass" /> {words}
        </p>
      )
    case 'answered': {
      const { response } = sent.answer
      return (
        <div class={isTaken(sent) ? 'outcome done' : 'outcome failed'}>
          <p>
            <Icon name={isTaken(sent) ? 'circle-check' : 'triangle-alert'} />
            {words}
          </p>
          {command.actionOf === undefined ? (
            <code class="mono">{JSON.stringify(response)}</code>
          ) : (
            response !== null && <JsonView label="What the charger has answered" value={response} />
          )}
        </div>
      )
    }
    default: {
      const { error } = sent
      return (
        <div class="outcome failed">
          <p>
            <Icon name="triangle-alert" /> {words ?? `${command.title}: ${error.message}`}
          </p>
          <code class="mono">
            {error.code}
            {words === undefined ? '' : `: ${error.message}`}
            {error.details.map(({ path, message }) => `, ${path} ${message}`).join('')}
          </code>
        </div>
      )
    }
  }
}

const refusedWords = ({ whenRefused }: Command, said: string): string =>
  whenRefused === undefined ? said : `${said} ${whenRefused}`

const laterWords: Readonly<Record<string, string>> = {
  RebootRequired: ' It counts once the charger has been restarted.',
}

const unknownWords: Readonly<Record<string, string>> = {
  NotImplemented: 'The charger does not know this message.',
  NotSupported: 'The charger does not support this.',
}

const failedWords: Readonly<Record<string, string>> = {
  ocpp_rejected: 'The charger has refused it.',
  ocpp_error: 'The charger has answered with an error: it could not read the message, or not do what it says.',
  charge_point_offline: 'The charger is not connected, so nothing was sent.',
  charge_point_not_accepted:
    'The charger has not booted since it was accepted, so nothing was sent. Wait until it has, or restart it.',
  managed_by_site:
    'Nothing was sent: the site of the charger limits its power. Change how the site shares it, or limit the whole charger (connector 0).',
  validation_error: 'Nothing was sent: this is not how OCPP 1.6 has the message. Correct what is named here.',
  rate_limited: 'Too much was asked in a short time, so nothing was sent. Wait a little, then send it again.',
  ocpp_timeout: 'The charger has not answered in time. It may have done it all the same.',
  timeout: 'The charger has not answered in time. It may have done it all the same.',
  not_reached: 'The service does not answer. The command may have been sent all the same: see the history of commands.',
}
