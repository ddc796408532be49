// Text that others have chosen (paths, arguments, messages of libraries) as part of one line of a terminal or a log.

/** What a terminal may obey, or show in another order than it is written: controls, separators of lines, bidirectional formatting. */
export const unprintable = /\p{Cc}|[\u2028\u2029]|\p{Bidi_Control}/gu

/** `\u001b` */
export function escapeOf(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** What a charge point has said, as part of a line that people read: without what would break the line, or turn its order round. */
export function withoutUnprintable(text: string): string {
  return text.replaceAll(unprintable, '')
}

/** Lines become one, and characters that do not print become their escapes. */
export function oneLine(text: string): string {
  return text.replaceAll(/(?<!\s)\s*[\r\n]\s*/g, ' ').replaceAll(unprintable, escapeOf)
}
