// Causes of what is reported of charge points, and is not in their rows: refused connections, and events of security. They are few: as many as are read.

import { type Candidate, causeOf, counted, idFilter, type Known, type Reports } from './cause.js'

interface Report {
  readonly chargePointId: string
  readonly at: number
}

function reportGroups<One extends Report>(reports: Iterable<One>, nameOf: (one: One) => string) {
  const groups = new Map<string, One[]>()
  for (const one of reports) groups.set(nameOf(one), [...(groups.get(nameOf(one)) ?? []), one])
  return [...groups].map(([name, same]) => ({
    name,
    same,
    ids: [...new Set(same.map(({ chargePointId }) => chargePointId))].sort(),
    since: Math.min(...same.map(({ at }) => at)) / 1_000,
  }))
}

function reported(cause: Omit<Parameters<typeof causeOf>[0], 'shared' | 'count' | 'filter'>): Candidate {
  const { kind, name, ids } = cause
  const whole = { ...cause, shared: {}, count: ids.length, filter: idFilter(ids) }
  return {
    kind,
    name,
    shared: {},
    count: ids.length,
    ids: () => ids,
    // biome-ignore lint/correctness/useYield: there is nothing to pass over
    *word() {
      return causeOf(whole)
    },
  }
}

/** Of offline charge points of the organization alone: who is online has found its way. */
export function refusedCauses({ refused }: Reports, rowOf: Known['rowOf']): Candidate[] {
  const newest = new Map<string, Reports['refused'][number]>()
  for (const one of refused) {
    const earlier = newest.get(one.chargePointId)
    if ((earlier === undefined || earlier.at < one.at) && rowOf(one.chargePointId)?.status === 'offline')
      newest.set(one.chargePointId, one)
  }
  return reportGroups(newest.values(), ({ reason }) => reason).map(({ name, same, ids, since }) =>
    reported({
      kind: 'refused',
      name,
      title: `${counted(ids.length, 'charge point is', 'charge points are')} refused: ${name.replaceAll('_', ' ')}`,
      why: same[0]?.advice ?? '',
      ids,
      since,
    }),
  )
}

export function securityCauses({ security }: Reports, rowOf: Known['rowOf']): Candidate[] {
  const own = security.filter(({ chargePointId }) => rowOf(chargePointId) !== undefined)
  return reportGroups(own, ({ event }) => event).map(({ name, ids, since }) =>
    reported({
      kind: 'security',
      name,
      title: `${counted(ids.length, 'charge point reports', 'charge points report')} ${name}`,
      why: 'Security events of the last 24 hours. Check with the documentation of the manufacturer whether somebody has tampered with the charge point.',
      ids,
      since,
    }),
  )
}
