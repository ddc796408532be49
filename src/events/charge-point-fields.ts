// The fields of a charge point whose changes are published, as the API names them.

export const publishedFields = [
  'name',
  'latitude',
  'longitude',
  'address',
  'connector_count',
  'max_power_kw',
  'phases',
  'phase_rotation',
  'site_id',
  'serial_number',
  'registration',
  'ping_interval_seconds',
  'certificate_required',
  'sign_without_password',
  'vendor',
  'model',
  'firmware_version',
] as const
