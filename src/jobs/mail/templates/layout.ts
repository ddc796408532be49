// What every mail looks like: a template names its parts, and here they become plain text and HTML, which so say the same.

import { DateTime } from 'luxon'
import { type Html, html, htmlText } from './html.js'

export type Part =
  | { readonly type: 'paragraph'; readonly text: string }
  /** Short facts by name. */
  | { readonly type: 'facts'; readonly facts: readonly (readonly [name: string, value: string])[] }
  /** To be copied. */
  | { readonly type: 'code'; readonly text: string }
  | { readonly type: 'link'; readonly label: string; readonly url: string }
  /** Of the API, to be copied; its body is sent as JSON. `open`: it needs no credential. */
  | {
      readonly type: 'request'
      readonly method: string
      readonly path: string
      readonly body?: Readonly<Record<string, unknown>>
      readonly open?: true
    }

export interface MailText {
  readonly subject: string
  readonly parts: readonly Part[]
  /** Why the reader gets it. */
  readonly footer: string
}

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * Values come from callers: one that had lines or control characters, or that turned the direction of what follows, could pass itself
 * off for a part of the mail.
 */
const line = (text: string): string => text.replace(/[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]+/gu, ' ').trim()

/** `28 November 2026, 10:30 UTC` */
export function timeText(time: string, timeZone = 'UTC'): string {
  const local = DateTime.fromISO(time, { zone: timeZone, locale: 'en' })
  return local.isValid ? `${local.toFormat('d MMMM yyyy, HH:mm')} ${timeZone}` : time
}

/** A text of the service's own, with the times in it told in the reader's time zone. */
export function withLocalTimes(text: string, timeZone?: string): string {
  return text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (time) => timeText(time, timeZone))
}

export function renderMail(mail: MailText): RenderedMail {
  const subject = line(mail.subject)
  const footer = line(mail.footer)
  const text = [...mail.parts.map(partText), `-- \n${footer}`].join('\n\n')
  const page = html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${subject}</title></head>
<body style="margin:0;padding:24px;background:#f4f5f7;font-family:sans-serif;font-size:16px;line-height:1.5;color:#1c2430">
<div style="max-width:560px;margin:0 auto;padding:24px;background:#ffffff;border-radius:8px">
<h1 style="margin:0 0 16px;font-size:20px">${subject}</h1>
${mail.parts.map(partHtml)}
<p style="margin:24px 0 0;font-size:13px;color:#667085">${footer}</p>
</div>
</body>
</html>
`
  return { subject, text: `${text}\n`, html: htmlText(page) }
}

function partText(part: Part): string {
  switch (part.type) {
    case 'paragraph':
      return line(part.text)
    case 'facts':
      return part.facts.map(([name, value]) => `${name}: ${line(value)}`).join('\n')
    case 'code':
      return `    ${line(part.text)}`
    case 'link':
      return `${part.label}: ${line(part.url)}`
    case 'request':
      return requestLines(part)
        .map((text) => (text === '' ? '' : `    ${text}`))
        .join('\n')
  }
}

function requestLines({ method, path, body, open }: Extract<Part, { type: 'request' }>): readonly string[] {
  return [
    line(`${method} ${path}`),
    ...(open === true ? [] : ['Authorization: Bearer <your API key>']),
    ...(body === undefined ? [] : ['Content-Type: application/json', '', line(JSON.stringify(body))]),
  ]
}

function partHtml(part: Part): Html {
  switch (part.type) {
    case 'paragraph':
      return html`<p style="margin:0 0 16px">${line(part.text)}</p>`
    case 'facts': {
      const rows = part.facts.map(
        ([name, value]) =>
          html`<tr><td style="padding:2px 16px 2px 0;color:#667085">${name}</td><td>${line(value)}</td></tr>`,
      )
      return html`<table style="margin:0 0 16px;border-collapse:collapse">${rows}</table>`
    }
    case 'code':
      return html`<p style="margin:0 0 16px;padding:12px;background:#f4f5f7;font-family:monospace;word-break:break-all">${line(part.text)}</p>`
    case 'request':
      return html`<pre style="margin:0 0 16px;padding:12px;background:#f4f5f7;font-family:monospace;white-space:pre-wrap;word-break:break-all">${requestLines(part).join('\n')}</pre>`
    case 'link':
      return html`<p style="margin:0 0 16px"><a href="${line(part.url)}" style="display:inline-block;padding:10px 20px;background:#175cd3;color:#ffffff;text-decoration:none;border-radius:6px">${part.label}</a></p>`
  }
}
