// What became of a command to one charge point: that it was asked, what the charger has said, or why there is no answer and what can be done about that.

import type { ApiError } from '../client/api.js'
import { type Answer, type Command, isTakenStatus } from '../client/command-list.js'
import { Icon } from './icon.js'
import { JsonView } from './json-view.js'

export type Sent =
  | { readonly is: 'asking'; readonly at: number }
  | { readonly is: 'answered'; readonly answer: Answer }
  | { readonly is: 'failed'; readonly error: ApiError }

export function Outcome({ command, sent }: { readonly command: Command; readonly sent: Sent }) {
  switch (sent.is) {
    case 'asking':
      return (
        <p class="outcome">
          <Icon name="hourglass" /> Asked. Waiting for what the charger says.
        </p>
      )
    case 'answered': {
      const { status, milliseconds, response } = sent.answer
      const isDone = isTakenStatus(status)
      return (
        <div class={isDone ? 'outcome done' : 'outcome failed'}>
          <p>
            <Icon name={isDone ? 'circle-check' : 'triangle-alert'} />
            {isDone
              ? `The charger has taken it${milliseconds === null ? '' : ` after ${milliseconds} ms`}.${laterWords[status] ?? ''}`
              : (unknownWords[status] ?? refusedWords(command, `The charger has not done it: ${status}.`))}
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
      const said = failedWords[error.code]
      const words = said !== undefined && error.code === 'ocpp_rejected' ? refusedWords(command, said) : said
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
