// Which characters a font file has, as its package says it.

export interface CodePoints {
  readonly from: number
  readonly to: number
}

/** `U+0000-00FF,U+0131`: CSS Fonts, unicode-range. */
export function codePointsOf(range: string): CodePoints[] {
  return range.split(',').map((part) => {
    const [from = '', to = from] = part.replace('U+', '').split('-')
    return { from: Number.parseInt(from, 16), to: Number.parseInt(to, 16) }
  })
}
