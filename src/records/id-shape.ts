// Ids as people mistake them for one another: what is left of an id without case, spaces and signs, and which others are nearly the same. A search
// asks an ordered list for its next entry, so that it costs what it finds and the length of the id, and not the length of the list.

/** Two ids of one shape are the same id, spelt in different ways. */
export function shapeOf(id: string): string {
  return id
    .toLowerCase()
    .replace(/%[0-9a-f]{2}/g, '')
    .replace(/[^a-z0-9]/g, '')
}

export function reversed(shape: string): string {
  return [...shape].reverse().join('')
}

/** `longer` and `shorter`: it has something more, or less, at its beginning or its end. */
export type Likeness = 'same' | 'one-character' | 'longer' | 'shorter'

export interface ShapeList {
  /** The first shape of the list that is `from` or comes behind it. */
  next(from: string): string | undefined
  /** The same of the list of shapes that are read from their ends. */
  nextReversed(from: string): string | undefined
}

/** Shorter ones are like too many others. */
const shortestAlike = 5
/** Longer by more, it is another id that happens to begin or end alike. */
const mostMore = 8
/** Of those that are longer, so many are looked at. */
const mostLonger = 10

/** The shapes of the list that are like `shape`, the same one first; each once. */
export function* shapesLike(shape: string, list: ShapeList): Generator<readonly [string, Likeness]> {
  const has = (wanted: string): boolean => list.next(wanted) === wanted
  if (shape !== '' && has(shape)) yield [shape, 'same']
  if (shape.length < shortestAlike) {
    for (const alike of lookingAlike(shape)) if (has(alike)) yield [alike, 'one-character']
    return
  }
  const found = new Set([shape])
  for (const near of nearby(shape, list, has)) {
    if (found.has(near)) continue
    found.add(near)
    yield [near, 'one-character']
  }
  for (const more of longer(shape, list)) {
    if (found.has(more)) continue
    found.add(more)
    yield [more, 'longer']
  }
  const least = Math.max(shortestAlike, shape.length - mostMore)
  for (let length = shape.length - 1; length >= least; length--) {
    for (const part of [shape.slice(0, length), shape.slice(-length)]) {
      if (found.has(part) || !has(part)) continue
      found.add(part)
      yield [part, 'shorter']
    }
  }
}

/** Characters that people take for one another when they read them. */
const lookAlikes = ['0o', '1il', '2z', '5s', '8b']

function* lookingAlike(shape: string): Generator<string> {
  for (const [at, character] of [...shape].entries())
    for (const others of lookAlikes.filter((alike) => alike.includes(character)))
      for (const other of others) if (other !== character) yield `${shape.slice(0, at)}${other}${shape.slice(at + 1)}`
}

/** One character is another, is missing, is too many, or has changed places with the next. */
function* nearby(shape: string, list: ShapeList, has: (shape: string) => boolean): Generator<string> {
  for (let at = 0; at <= shape.length; at++) {
    const head = shape.slice(0, at)
    const rest = shape.slice(at)
    const candidates = [`${head}${rest.slice(1)}`, `${head}${rest.slice(1, 2)}${rest.slice(0, 1)}${rest.slice(2)}`]
    // Only characters that the list has in this place.
    let next = list.next(head)
    if (next?.startsWith(head) !== true) return
    while (next?.startsWith(head) === true) {
      const character = next.charAt(at)
      if (character !== '') candidates.push(`${head}${character}${rest.slice(1)}`, `${head}${character}${rest}`)
      next = list.next(character === '' ? `${next}\0` : `${head}${String.fromCharCode(character.charCodeAt(0) + 1)}`)
    }
    for (const candidate of candidates) if (has(candidate)) yield candidate
  }
}

function* longer(shape: string, list: ShapeList): Generator<string> {
  const backwards = reversed(shape)
  const isMore = (found: string): boolean => found.length > shape.length && found.length <= shape.length + mostMore
  let next = list.next(`${shape}\0`)
  for (let looked = 0; looked < mostLonger && next?.startsWith(shape) === true; looked++) {
    if (isMore(next)) yield next
    next = list.next(`${next}\0`)
  }
  next = list.nextReversed(`${backwards}\0`)
  for (let looked = 0; looked < mostLonger && next?.startsWith(backwards) === true; looked++) {
    if (isMore(next)) yield reversed(next)
    next = list.nextReversed(`${next}\0`)
  }
}
