// What the page makes itself and hands to the browser: a file, or a text to be pasted elsewhere. Nothing is asked of anybody for it.

import { toast } from './toast.js'

/**
 * Cells with what separates cells somewhere, quotes or line ends are quoted (RFC 4180; spreadsheets of half of Europe separate at semicolons); what a
 * spreadsheet would take for a formula, also one in the wide characters of East Asia, is kept a text.
 */
export function csvText(rows: readonly (readonly (string | number | null | undefined)[])[]): string {
  const cell = (value: string | number | null | undefined): string => {
    if (value === null || value === undefined) return ''
    if (typeof value === 'number') return String(value)
    const text = /^[=+\-@＝＋－＠\t\r\n]/.test(value) && !/^[+-]?\d+(\.\d+)?$/.test(value) ? `'${value}` : value
    return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
  }
  return `${rows.map((row) => row.map(cell).join(',')).join('\r\n')}\r\n`
}

export function saveFile(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Browsers have a clipboard on safe origins alone, and may be told not to let it be written. */
export async function copyText(text: string, said: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(said)
  } catch {
    toast('The browser does not let it be copied: mark it and copy it yourself.', 'failed')
  }
}
