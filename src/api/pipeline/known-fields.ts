// Which fields of a JSON value its schema knows, and which not. A schema is compiled into a walk over the values that have fields; a walk over a
// value all of whose fields are known allocates nothing but the names of its fields. What a field holds is the validator's matter.

import type { TSchema } from 'typebox'
import { matcherOf } from './validator.js'

/** The names and indexes that lead to a field. */
export type FieldPath = readonly (string | number)[]

/** As a JSON pointer. */
export function pointerOf(path: FieldPath): string {
  return path.map((step) => `/${String(step).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('')
}

export interface Looked {
  /** The fields that the schema does not know, in the order of the value, and at most as many as were asked for. */
  readonly unknown: readonly FieldPath[]
  /** The value without any of them: itself where there are none, and otherwise a copy of what is known. */
  readonly known: unknown
}

export type KnownFields = (value: unknown, atMost: number) => Looked

interface Shape {
  readonly type?: unknown
  readonly const?: unknown
  readonly enum?: unknown
  readonly properties?: Readonly<Record<string, Shape>>
  readonly patternProperties?: Readonly<Record<string, Shape>>
  readonly additionalProperties?: Shape | boolean
  readonly items?: Shape | readonly Shape[]
  readonly anyOf?: readonly Shape[]
  readonly oneOf?: readonly Shape[]
  readonly allOf?: readonly Shape[]
}

interface Walk {
  /** Where it is. */
  readonly place: (string | number)[]
  readonly found: FieldPath[]
  readonly atMost: number
}

/** Returns what is known of the value. */
type Walker = (value: object, walk: Walk) => object

/** An object whose schema names no fields takes any. */
export function knownFieldsOf(schema: TSchema): KnownFields {
  const walker = walkerOf([schema as Shape])
  return (value, atMost) => {
    const walk: Walk = { place: [], found: [], atMost }
    const known = walker !== undefined && isObject(value) ? walker(value, walk) : value
    return { unknown: walk.found, known }
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

/** For a value of which all these shapes hold; undefined when there is nothing in it that could be unknown. */
function walkerOf(shapes: readonly Shape[]): Walker | undefined {
  if (shapes.length === 0) return undefined
  const parts = shapes.flatMap(all)
  const choices = parts.flatMap((part) => [part.anyOf, part.oneOf].filter((choice) => choice !== undefined))
  // What is no object and no list has no fields.
  const open = choices.map((choice) => choice.filter(mayHoldFields))
  const settled = open.filter((choice) => choice.length === 1).flat()
  const undecided = open.filter((choice) => choice.length > 1)
  const known = [...parts.map(withoutChoices), ...settled]
  if (settled.length > 0) return walkerOf([...known, ...undecided.map((anyOf) => ({ anyOf }))])
  return undecided.length === 0 ? walkerOfParts(parts) : walkerOfChoices(known, undecided.flat())
}

function all(shape: Shape): readonly Shape[] {
  if (shape.allOf === undefined) return [shape]
  const { allOf, ...own } = shape
  return [own, ...allOf.flatMap(all)]
}

function withoutChoices({ anyOf: _, oneOf: __, ...own }: Shape): Shape {
  return own
}

const withFields: ReadonlySet<unknown> = new Set([undefined, 'object', 'array'])

function mayHoldFields({ type, const: constant, enum: values }: Shape): boolean {
  if (constant !== undefined || values !== undefined) return false
  return Array.isArray(type) ? type.some((one) => withFields.has(one)) : withFields.has(type)
}

function hasStructure(shape: Shape): boolean {
  return namesFields(shape) || shape.items !== undefined
}

function namesFields({ properties, patternProperties, additionalProperties }: Shape): boolean {
  return properties !== undefined || patternProperties !== undefined || additionalProperties !== undefined
}

/** Known is what the branches know that the value is one of; of a value that is none of them, what any branch knows. */
function walkerOfChoices(own: readonly Shape[], branches: readonly Shape[]): Walker {
  const matches = branches.map((branch) => matcherOf(branch as TSchema))
  const walkers = new Map<string, Walker | undefined>()
  const ownKnows = own.some(hasStructure)

  function compile(chosen: readonly Shape[]): Walker | undefined {
    // A branch that names nothing only restricts the fields that others name; alone, it takes any.
    if (!ownKnows && chosen.some((branch) => all(branch).every((part) => !hasStructure(part) && !isChoice(part))))
      return undefined
    return walkerOf([...own, ...chosen])
  }

  return (value, walk) => {
    const matching = branches.filter((_, index) => matches[index]?.(value))
    const chosen = matching.length === 0 ? branches : matching
    const name = chosen.map((branch) => branches.indexOf(branch)).join()
    if (!walkers.has(name)) walkers.set(name, compile(chosen))
    return walkers.get(name)?.(value, walk) ?? value
  }
}

function isChoice({ anyOf, oneOf }: Shape): boolean {
  return anyOf !== undefined || oneOf !== undefined
}

function walkerOfParts(parts: readonly Shape[]): Walker | undefined {
  const ofObject = objectWalker(parts.filter(namesFields))
  const ofList = listWalker(parts.flatMap(({ items }) => (items === undefined ? [] : [items])))
  if (ofObject === undefined && ofList === undefined) return undefined
  return (value, walk) => (Array.isArray(value) ? ofList : ofObject)?.(value, walk) ?? value
}

function objectWalker(parts: readonly Shape[]): Walker | undefined {
  if (parts.length === 0) return undefined
  const named = new Map<string, Shape[]>()
  for (const part of parts)
    for (const [name, shape] of Object.entries(part.properties ?? {}))
      named.set(name, [...(named.get(name) ?? []), shape])
  const fields = new Map([...named].map(([name, shapes]) => [name, walkerOf(shapes)]))
  const others = parts.flatMap(othersOf).map(({ names, shape }) => ({ names, walker: walkerOf([shape]) }))
  const hasOthers = others.length > 0

  return (value, walk) => {
    const { place, found, atMost } = walk
    const all = value as Readonly<Record<string, unknown>>
    const names = Object.keys(all)
    /** From the first difference on. A list of entries, since a field may be called `__proto__`. */
    let known: [string, unknown][] | undefined
    const knownBefore = (count: number) => names.slice(0, count).map((name): [string, unknown] => [name, all[name]])
    for (let at = 0; at < names.length; at++) {
      const name = names[at] as string
      let walker = fields.get(name)
      if (walker === undefined && !fields.has(name)) {
        const other = hasOthers ? others.find(({ names }) => names === undefined || names.test(name)) : undefined
        if (other === undefined) {
          if (found.length < atMost) found.push([...place, name])
          known ??= knownBefore(at)
          continue
        }
        walker = other.walker
      }
      const field = all[name]
      const part = walker !== undefined && isObject(field) ? descend(name, field, walker, walk) : field
      if (part !== field) known ??= knownBefore(at)
      known?.push([name, part])
    }
    return known === undefined ? value : Object.fromEntries(known)
  }
}

/** What a shape takes beside the fields that it names. */
function othersOf({ patternProperties = {}, additionalProperties }: Shape): { names?: RegExp; shape: Shape }[] {
  const others: { names?: RegExp; shape: Shape }[] = Object.entries(patternProperties).map(([pattern, shape]) => ({
    names: new RegExp(pattern, 'u'),
    shape,
  }))
  if (additionalProperties === true) others.push({ shape: {} })
  else if (typeof additionalProperties === 'object') others.push({ shape: additionalProperties })
  return others
}

function listWalker(items: readonly (Shape | readonly Shape[])[]): Walker | undefined {
  const each = walkerOf(items.filter((item): item is Shape => !Array.isArray(item)))
  const [tuple] = items.filter((item): item is readonly Shape[] => Array.isArray(item))
  const byPlace = tuple?.map((shape) => walkerOf([shape])) ?? []
  if (each === undefined && byPlace.every((walker) => walker === undefined)) return undefined
  return (value, walk) => {
    const list = value as readonly unknown[]
    let known: unknown[] | undefined
    for (const [index, entry] of list.entries()) {
      const walker = byPlace[index] ?? each
      if (walker === undefined || !isObject(entry)) continue
      const part = descend(index, entry, walker, walk)
      if (part === entry) continue
      known ??= [...list]
      known[index] = part
    }
    return known ?? list
  }
}

function descend(step: string | number, value: object, walker: Walker, walk: Walk): object {
  walk.place.push(step)
  const known = walker(value, walk)
  walk.place.pop()
  return known
}
