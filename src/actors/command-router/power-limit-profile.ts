// The ids of the charging profiles that set_power_limit installs and clear_power_limit removes.

const firstProfileId = 1_000

export function powerLimitProfileId(connectorId: number): number {
  return firstProfileId + connectorId
}
