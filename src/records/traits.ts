// What a model of charge points is like, and how what several say of it is put together. What is believed is what more than half of those say who
// say anything of it: of what they are divided about nothing is known, so that it is found out again.

export const chargingRateUnits = ['A', 'W'] as const
export type ChargingRateUnit = (typeof chargingRateUnits)[number]

/** What is absent is not known. */
export interface ModelTraits {
  readonly answers_pings?: boolean
  /** By OCPP action: whether it is implemented. */
  readonly actions?: Readonly<Record<string, boolean>>
  /** By the message that TriggerMessage asks for: whether it is sent on request. */
  readonly triggers?: Readonly<Record<string, boolean>>
  /** Configuration keys that were refused. */
  readonly refused_keys?: readonly string[]
  /** The units of limits. */
  readonly charging_rate_units?: readonly ChargingRateUnit[]
  /** The purposes of charging profiles that are taken. */
  readonly profile_purposes?: readonly string[]
  /** Whether it holds its charging profiles over a boot. */
  readonly keeps_profiles?: boolean
  /** Whether cars draw no more than the limits that it has accepted. */
  readonly obeys_limits?: boolean
}

type Corrected<Value> =
  Value extends Readonly<Record<string, boolean>> ? Readonly<Record<string, boolean | null>> : Value | null

/** null: not known, whatever was learned. What is absent stays as it was learned. */
export type TraitsCorrections = { readonly [Trait in keyof ModelTraits]?: Corrected<NonNullable<ModelTraits[Trait]>> }

/** Undefined where there is none. */
function majority<Value>(said: readonly (Value | undefined)[]): Value | undefined {
  const votes = said.filter((value) => value !== undefined)
  return votes.find((one) => 2 * votes.filter((other) => other === one).length > votes.length)
}

type Named = Readonly<Record<string, boolean>>

function believedNames(said: readonly (Named | undefined)[]): Named | undefined {
  const names = new Set(said.flatMap((one = {}) => Object.keys(one)))
  const believed = [...names].flatMap((name) => {
    const value = majority(said.map((one) => one?.[name]))
    return value === undefined ? [] : [[name, value] as const]
  })
  return believed.length === 0 ? undefined : Object.fromEntries(believed)
}

/** Each member is voted on by itself. */
function believedMembers<Member>(said: readonly (readonly Member[] | undefined)[]): readonly Member[] | undefined {
  const lists = said.filter((list) => list !== undefined)
  const members = [...new Set(lists.flat())]
  const votes = members.map((member) => majority(lists.map((list) => list.includes(member))))
  const believed = members.filter((_, at) => votes[at] === true)
  const isKnown = lists.length > 0 && (believed.length > 0 || votes.every((vote) => vote === false))
  return isKnown ? believed : undefined
}

export function believedTraits(said: readonly ModelTraits[]): ModelTraits {
  const answers_pings = majority(said.map((one) => one.answers_pings))
  const actions = believedNames(said.map((one) => one.actions))
  const triggers = believedNames(said.map((one) => one.triggers))
  const refused_keys = believedMembers(said.map((one) => one.refused_keys))
  const charging_rate_units = believedMembers(said.map((one) => one.charging_rate_units))
  const profile_purposes = believedMembers(said.map((one) => one.profile_purposes))
  const keeps_profiles = majority(said.map((one) => one.keeps_profiles))
  const obeys_limits = majority(said.map((one) => one.obeys_limits))
  return {
    ...(answers_pings !== undefined && { answers_pings }),
    ...(actions !== undefined && { actions }),
    ...(triggers !== undefined && { triggers }),
    ...(refused_keys !== undefined && { refused_keys }),
    ...(charging_rate_units !== undefined && { charging_rate_units }),
    ...(profile_purposes !== undefined && { profile_purposes }),
    ...(keeps_profiles !== undefined && { keeps_profiles }),
    ...(obeys_limits !== undefined && { obeys_limits }),
  }
}

/** What the newer says, and what the older says beside that. */
export function known(newer: ModelTraits, older: ModelTraits): ModelTraits {
  return {
    ...older,
    ...newer,
    ...(older.actions !== undefined && { actions: { ...older.actions, ...newer.actions } }),
    ...(older.triggers !== undefined && { triggers: { ...older.triggers, ...newer.triggers } }),
  }
}

const withoutNulls = <Row extends object>(row: Row) =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null))

export function corrected(learned: ModelTraits, { actions, triggers, ...plain }: TraitsCorrections): ModelTraits {
  return withoutNulls({
    ...learned,
    ...plain,
    ...(actions !== undefined && { actions: withoutNulls({ ...learned.actions, ...actions }) }),
    ...(triggers !== undefined && { triggers: withoutNulls({ ...learned.triggers, ...triggers }) }),
  })
}
