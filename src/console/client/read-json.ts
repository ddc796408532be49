// JSON of the service as pages take it. Characters that turn the direction of a text are shown as what they are: with them, a charge point could make one
// firmware read like another.

const turning = /[\u202a-\u202e\u2066-\u2069]/g

/** Throws a SyntaxError for what is no JSON. */
export function readJson(text: string): unknown {
  return JSON.parse(text.replace(turning, (character) => `\\\\u${character.charCodeAt(0).toString(16)}`))
}
