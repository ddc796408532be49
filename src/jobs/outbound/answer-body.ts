// Gathers the body of an answer up to a bound, in memory that grows with what came, however small the pieces.

export interface AnswerBody {
  /** False once the bound is reached: the rest is not wanted. */
  add(chunk: Uint8Array): boolean
  /** What came, as UTF-8; a character that the bound cuts is left out. */
  text(): string
  /** More came than is kept. */
  readonly isCut: boolean
}

const firstBytes = 4_096

/** With `keep` false the bytes are only counted. */
export function createAnswerBody(maximumBytes: number, keep: boolean): AnswerBody {
  let held = Buffer.alloc(0)
  let length = 0
  let cut = false
  return {
    add(chunk) {
      const room = maximumBytes - length
      const taken = chunk.length > room ? chunk.subarray(0, room) : chunk
      cut = taken.length < chunk.length
      if (keep) {
        if (length + taken.length > held.length) {
          const grown = Buffer.alloc(
            Math.min(maximumBytes, Math.max(firstBytes, 2 * held.length, length + taken.length)),
          )
          held.copy(grown, 0, 0, length)
          held = grown
        }
        held.set(taken, length)
      }
      length += taken.length
      return !cut
    },
    get isCut() {
      return cut
    },
    text() {
      const kept = held.subarray(0, length)
      // Streaming keeps back the bytes of a character that is not complete, instead of writing a mark for it.
      return new TextDecoder().decode(kept, { stream: cut })
    },
  }
}
