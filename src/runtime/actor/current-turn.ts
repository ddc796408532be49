// Which actor each shard works for at this moment, which part of it, and on which message: kept in memory that outlives the shard, so that it is known
// whose turn a shard did not survive. Written for every message, so it only copies characters.

/** A longer address is not noted: nobody is blamed then. */
const keyCharacters = 400
const messageCharacters = 100
/** A longer one is cut, and so is nobody's: then all of the actor answers for it. */
const partCharacters = 200
const keyAt = 3
const partAt = keyAt + keyCharacters
const messageAt = partAt + partCharacters
const cellLength = messageAt + messageCharacters

export interface CurrentTurn {
  /** `kind/id` */
  readonly actor: string
  /** Empty where actors of this kind have no parts. */
  readonly part: string
  /** The type of the message, and of a wake-up its reason. */
  readonly message: string
}

export interface TurnNotes {
  /** What the shard does from now on; undefined when no actor has its turn. */
  note(actor: string | undefined, message: unknown, part: string): void
}

export function newTurnCells(shards: number): SharedArrayBuffer {
  return new SharedArrayBuffer(shards * cellLength * Uint16Array.BYTES_PER_ELEMENT)
}

function cellOf(cells: SharedArrayBuffer, shard: number): Uint16Array {
  return new Uint16Array(cells, shard * cellLength * Uint16Array.BYTES_PER_ELEMENT, cellLength)
}

/** The shard's side. */
export function turnNotes(cells: SharedArrayBuffer, shard: number): TurnNotes {
  const cell = cellOf(cells, shard)
  let noted: string | undefined

  function copy(text: string, at: number, characters: number): void {
    for (let index = 0; index < characters; index++) cell[at + index] = text.charCodeAt(index)
  }

  return {
    note(actor, message, part) {
      if (actor === undefined || actor.length > keyCharacters) {
        cell[0] = 0
        noted = undefined
        return
      }
      const text = nameOf(message)
      const characters = Math.min(text.length, messageCharacters)
      cell[1] = characters
      copy(text, messageAt, characters)
      const ofPart = Math.min(part.length, partCharacters)
      cell[2] = ofPart
      copy(part, partAt, ofPart)
      if (actor === noted) return
      // The length last: a shard may end between any two of these.
      cell[0] = 0
      copy(actor, keyAt, actor.length)
      cell[0] = actor.length
      noted = actor
    },
  }
}

function nameOf(message: unknown): string {
  const { type, reason } = (message ?? {}) as { readonly type?: unknown; readonly reason?: unknown }
  if (typeof type !== 'string') return ''
  return type === 'wake-up' ? `wake-up ${String(reason)}` : type
}

/** The turn that a shard was in when it ended, if it was in one; it is asked once for each end. */
export function takeTurn(cells: SharedArrayBuffer, shard: number): CurrentTurn | undefined {
  const cell = cellOf(cells, shard)
  const [keyLength = 0, messageLength = 0, partLength = 0] = cell
  cell[0] = 0
  if (keyLength === 0) return undefined
  const read = (at: number, length: number): string => String.fromCharCode(...cell.subarray(at, at + length))
  return { actor: read(keyAt, keyLength), part: read(partAt, partLength), message: read(messageAt, messageLength) }
}
