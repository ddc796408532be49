// The mail server of a world: takes mails, refuses some for good, is not there, takes its time, and is cut off before it could say that it
// has taken one.

import type { SendMailRequest, SendMailResult } from '../../src/actors/mail/messages.js'
import type { JobOutcome } from '../../src/runtime/actor/actor.js'
import type { Faults } from './faults.js'
import type { SimulatedThread, SimulatedTime } from './time.js'

export interface MailObserver {
  /** An attempt begins. */
  sent(mailId: string): void
  /** The server has the mail, whether or not the service hears so. */
  taken(mailId: string): void
  refused(mailId: string): void
}

export interface MailServer {
  /** The job of the service: resolves in `thread`, which waits for it. */
  send(request: SendMailRequest, thread: SimulatedThread): Promise<JobOutcome>
}

export interface MailServerOptions {
  readonly time: SimulatedTime
  readonly faults: Faults
  readonly outside: SimulatedThread
  readonly observer: MailObserver
}

const usualMs = 300
const slowestMs = 40_000

export function createMailServer({ time, faults, outside, observer }: MailServerOptions): MailServer {
  const { random } = faults
  return {
    send({ mail_id: id }, thread) {
      observer.sent(id)
      const trouble = faults.happens('mailTrouble') ? random() : 1
      const there = random() * (trouble < 0.2 ? slowestMs : usualMs)
      const answered = there + random() * usualMs
      const outcome = (value: SendMailResult): JobOutcome => ({ ok: true, value })
      return new Promise((resolve) => {
        const end = (how: JobOutcome): void => time.settleAfter(answered, thread, () => resolve(how))
        if (trouble >= 0.2 && trouble < 0.5) return end({ ok: false, message: 'the mail server cannot be reached' })
        if (trouble >= 0.5 && trouble < 0.55) {
          time.after(there, outside, () => observer.refused(id))
          return end(outcome({ type: 'refused', reason: 'there is no such mailbox' }))
        }
        time.after(there, outside, () => observer.taken(id))
        end(
          trouble < 1 && trouble >= 0.55
            ? { ok: false, message: 'the connection was lost' }
            : outcome({ type: 'sent' }),
        )
      })
    },
  }
}
