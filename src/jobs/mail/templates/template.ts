// What the template of a mail is: a function of the mail's content, and of what it knows beside that.

import type { MailContent } from '../../../records/mail.js'
import type { MailText } from './layout.js'

/** What templates know beside their content. */
export interface MailSurroundings {
  /** Where the operator's own application is, that mails link to. */
  readonly appUrl: string | undefined
  /** Where people sign in to the console; absent without one, or where nobody has said how others reach it. */
  readonly consoleUrl?: string | undefined
  /** Whether there is a console, wherever it is reached. */
  readonly hasConsole?: boolean
}

export type ContentOf<Type extends MailContent['type']> = Extract<MailContent, { readonly type: Type }>

export type Template<Type extends MailContent['type']> = (
  content: ContentOf<Type>,
  surroundings: MailSurroundings,
) => MailText
