// The configuration keys of a simulated charge point (OCPP 1.6, 9): values, who may change them, and what they may be.

export type ConfigurationStatus = 'Accepted' | 'Rejected' | 'RebootRequired' | 'NotSupported'

interface ConfigurationKey {
  readonly key: string
  value: string
  readonly readonly: boolean
  readonly type: 'integer' | 'boolean' | 'text'
  /** AuthorizationKey may be written and never read. */
  readonly secret: boolean
}

export interface Configuration {
  text(key: string): string
  integer(key: string): number
  boolean(key: string): boolean
  /** Keys compare case-insensitively. */
  change(key: string, value: string): ConfigurationStatus
  /** Sets a key from inside, whatever its accessibility. */
  set(key: string, value: string): void
  read(keys: readonly string[] | undefined): {
    readonly configurationKey: readonly { readonly key: string; readonly readonly: boolean; readonly value: string }[]
    readonly unknownKey?: readonly string[]
  }
}

const measurands = 'Energy.Active.Import.Register,Power.Active.Import,Current.Import,Voltage'
const profiles = 'Core,FirmwareManagement,LocalAuthListManagement,Reservation,SmartCharging,RemoteTrigger'

/** name, initial value, access (R, RW, W), type */
const standardKeys: readonly (readonly [string, string, 'R' | 'RW' | 'W', ConfigurationKey['type']])[] = [
  ['AllowOfflineTxForUnknownId', 'true', 'RW', 'boolean'],
  ['AuthorizationCacheEnabled', 'false', 'RW', 'boolean'],
  ['AuthorizationKey', '', 'W', 'text'],
  ['AuthorizeRemoteTxRequests', 'true', 'RW', 'boolean'],
  ['ClockAlignedDataInterval', '0', 'RW', 'integer'],
  ['ConnectionTimeOut', '60', 'RW', 'integer'],
  ['ConnectorPhaseRotation', '0.RST', 'RW', 'text'],
  ['CpoName', '', 'RW', 'text'],
  ['GetConfigurationMaxKeys', '50', 'R', 'integer'],
  ['HeartbeatInterval', '300', 'RW', 'integer'],
  ['LocalAuthorizeOffline', 'true', 'RW', 'boolean'],
  ['LocalPreAuthorize', 'false', 'RW', 'boolean'],
  ['MeterValuesAlignedData', measurands, 'RW', 'text'],
  ['MeterValuesSampledData', measurands, 'RW', 'text'],
  ['MeterValueSampleInterval', '60', 'RW', 'integer'],
  ['NumberOfConnectors', '1', 'R', 'integer'],
  ['ResetRetries', '1', 'RW', 'integer'],
  ['StopTransactionOnEVSideDisconnect', 'true', 'RW', 'boolean'],
  ['StopTransactionOnInvalidId', 'true', 'RW', 'boolean'],
  ['StopTxnAlignedData', '', 'RW', 'text'],
  ['StopTxnSampledData', '', 'RW', 'text'],
  ['SupportedFeatureProfiles', profiles, 'R', 'text'],
  ['TransactionMessageAttempts', '3', 'RW', 'integer'],
  ['TransactionMessageRetryInterval', '10', 'RW', 'integer'],
  ['UnlockConnectorOnEVSideDisconnect', 'true', 'RW', 'boolean'],
  ['WebSocketPingInterval', '0', 'RW', 'integer'],
  ['LocalAuthListEnabled', 'true', 'RW', 'boolean'],
  ['LocalAuthListMaxLength', '1000', 'R', 'integer'],
  ['SendLocalListMaxLength', '200', 'R', 'integer'],
  ['ReserveConnectorZeroSupported', 'false', 'R', 'boolean'],
  ['ChargeProfileMaxStackLevel', '10', 'R', 'integer'],
  ['ChargingScheduleAllowedChargingRateUnit', 'Current,Power', 'R', 'text'],
  ['ChargingScheduleMaxPeriods', '24', 'R', 'integer'],
  ['MaxChargingProfilesInstalled', '20', 'R', 'integer'],
  ['SupportedFileTransferProtocols', 'HTTP,HTTPS,FTP', 'R', 'text'],
  ['SecurityProfile', '0', 'R', 'integer'],
]

function acceptable(entry: ConfigurationKey, value: string): boolean {
  if (value.length > 500) return false
  if (entry.type === 'integer') return /^\d{1,9}$/.test(value)
  if (entry.type === 'boolean') return /^(true|false)$/i.test(value)
  if (entry.key === 'AuthorizationKey') return /^([0-9a-f]{32,40}|[ -~]{16,20})$/i.test(value)
  return true
}

export function createConfiguration(initial: Readonly<Record<string, string>>): Configuration {
  const keys = new Map<string, ConfigurationKey>()
  for (const [key, value, access, type] of standardKeys) {
    keys.set(key.toLowerCase(), { key, value, readonly: access === 'R', type, secret: access === 'W' })
  }
  for (const [key, value] of Object.entries(initial)) set(key, value)

  function set(key: string, value: string): void {
    const entry = keys.get(key.toLowerCase())
    if (entry) entry.value = value
  }

  function text(key: string): string {
    const entry = keys.get(key.toLowerCase())
    if (entry === undefined) throw new Error(`no configuration key ${key}`)
    return entry.value
  }

  return {
    text,
    integer: (key) => Number(text(key)),
    boolean: (key) => text(key).toLowerCase() === 'true',
    change(key, value) {
      const entry = keys.get(key.toLowerCase())
      if (entry === undefined) return 'NotSupported'
      if (entry.readonly || !acceptable(entry, value)) return 'Rejected'
      entry.value = value
      return 'Accepted'
    },
    set,
    read(wanted) {
      const all = [...keys.values()].filter((entry) => !entry.secret)
      const show = ({ key, readonly, value }: ConfigurationKey) => ({ key, readonly, value })
      if (wanted === undefined || wanted.length === 0) return { configurationKey: all.map(show) }
      const unknownKey: string[] = []
      const found: ConfigurationKey[] = []
      for (const name of wanted) {
        const entry = keys.get(name.toLowerCase())
        if (entry && !entry.secret) found.push(entry)
        else unknownKey.push(name)
      }
      return { configurationKey: found.map(show), ...(unknownKey.length > 0 ? { unknownKey } : {}) }
    },
  }
}
