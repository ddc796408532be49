// The settings of mail: whether they belong together, said before a mail fails on them, and what holds where they are silent.

import { parseUrl } from '../../runtime/parse-url.js'
import { SettingsError } from '../../runtime/settings-error.js'
import type { Settings } from '../../settings.js'

/** Under the data directory, where no mail server is set. */
export const mailFolder = 'mail'

export const defaultMailFrom = 'ampshard <ampshard@localhost>'

const sender = /^([^<>"\r\n]+<[^@<>\s]+@[^@<>\s]+>|[^@<>\s]+@[^@<>\s]+)$/

/** Throws one line that names the flag; never the URL, which may hold a password. */
export function checkMailSettings({ smtp_url: url, mail_from: from, app_url: appUrl }: Settings): void {
  if (url !== undefined) {
    if (!isUrl(url, ['smtp:', 'smtps:']))
      throw new SettingsError('--smtp-url must be the URL of a mail server, such as smtp://mail.example.com:587')
    if (from === undefined)
      throw new SettingsError('--smtp-url needs --mail-from, the sender that the mail server lets through')
  }
  if (from !== undefined && !sender.test(from))
    throw new SettingsError('--mail-from must be an address, or a name and an address, such as "Name <a@example.com>"')
  if (appUrl !== undefined && !isUrl(appUrl, ['http:', 'https:']))
    throw new SettingsError('--app-url must be a URL that begins with http:// or https://')
}

function isUrl(text: string, protocols: readonly string[]): boolean {
  const url = parseUrl(text)
  return url !== undefined && protocols.includes(url.protocol) && url.hostname !== ''
}
