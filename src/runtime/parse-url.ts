// The parser of URLs. `URL.canParse` is not used: that of Node.js 20, once it has been compiled after some thousand calls, refuses every URL with
// a letter such as ü.

/** The URL that a text is, or undefined. */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
