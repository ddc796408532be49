// The statuses of a connector (OCPP 1.6, 7.7 ChargePointStatus).

export const connectorStatuses = [
  'Available',
  'Preparing',
  'Charging',
  'SuspendedEVSE',
  'SuspendedEV',
  'Finishing',
  'Reserved',
  'Unavailable',
  'Faulted',
] as const
export type ConnectorStatus = (typeof connectorStatuses)[number]
