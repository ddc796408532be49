// The organizations of a world, as the oracle may know them: how they tell the time, and what they want to be told.

export interface SimulatedOrganization {
  readonly id: string
  /** Zones without summer time: the oracle adds their offset. */
  readonly timeZone: string
  readonly offsetMinutes: number
  /** One that wants no alerts of offline charge points: nothing but what is stored looks after those. */
  readonly alertsOffline: boolean
}

export const organizations: readonly SimulatedOrganization[] = [
  { id: 'org_0', timeZone: 'UTC', offsetMinutes: 0, alertsOffline: true },
  { id: 'org_1', timeZone: 'Asia/Karachi', offsetMinutes: 300, alertsOffline: true },
  { id: 'org_2', timeZone: 'America/Phoenix', offsetMinutes: -420, alertsOffline: false },
]

export function organizationIdOf(organization: number): string {
  return `org_${organization}`
}
