// One full payload of each kind for every message of the standard, with every field that it has (OCPP 1.6, 6; security
// extension, 5), written by hand: what the schemas are tested against. `every-message.ts` has those of all messages.

const at = '2026-01-02T03:04:05Z'
const later = '2031-01-02T03:04:05Z'
const pem = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'
const idTagInfo = { status: 'Accepted', expiryDate: at, parentIdTag: 'FLEET' }
const schedule = {
  duration: 3600,
  startSchedule: at,
  chargingRateUnit: 'A',
  chargingSchedulePeriod: [
    { startPeriod: 0, limit: 21.4, numberPhases: 3 },
    { startPeriod: 1800, limit: 6 },
  ],
  minChargingRate: 6.1,
}
const chargingProfile = {
  chargingProfileId: 1,
  transactionId: 7,
  stackLevel: 0,
  chargingProfilePurpose: 'TxProfile',
  chargingProfileKind: 'Recurring',
  recurrencyKind: 'Daily',
  validFrom: at,
  validTo: later,
  chargingSchedule: schedule,
}
/** Of a transaction that does not exist yet (OCPP 1.6, 5.11). */
const { transactionId: _, ...profileOfStart } = chargingProfile
const meterValue = [
  {
    timestamp: at,
    sampledValue: [
      {
        value: '1234',
        context: 'Sample.Periodic',
        format: 'Raw',
        measurand: 'Energy.Active.Import.Register',
        phase: 'L1-N',
        location: 'Outlet',
        unit: 'Wh',
      },
      { value: 'OCMF|{"FV":"1.0"}', format: 'SignedData' },
    ],
  },
]
const hashData = { hashAlgorithm: 'SHA256', issuerNameHash: 'a1', issuerKeyHash: 'b2', serialNumber: '01' }

export interface Sample {
  readonly request: Readonly<Record<string, unknown>>
  readonly response: Readonly<Record<string, unknown>>
}

const accepted = { status: 'Accepted' }

export const standardSamples: Readonly<Record<string, Sample>> = {
  Authorize: { request: { idTag: '04E1A2B3' }, response: { idTagInfo } },
  BootNotification: {
    request: {
      chargePointVendor: 'Vendor',
      chargePointModel: 'Model',
      chargePointSerialNumber: 'S1',
      chargeBoxSerialNumber: 'B1',
      firmwareVersion: '1.2.3',
      iccid: '8931',
      imsi: '2040',
      meterType: 'MT',
      meterSerialNumber: 'M1',
    },
    response: { status: 'Accepted', currentTime: at, interval: 300 },
  },
  CancelReservation: { request: { reservationId: 3 }, response: accepted },
  ChangeAvailability: { request: { connectorId: 0, type: 'Operative' }, response: { status: 'Scheduled' } },
  ChangeConfiguration: {
    request: { key: 'HeartbeatInterval', value: '300' },
    response: { status: 'RebootRequired' },
  },
  ClearCache: { request: {}, response: accepted },
  ClearChargingProfile: {
    request: { id: 1, connectorId: 1, chargingProfilePurpose: 'TxDefaultProfile', stackLevel: 2 },
    response: { status: 'Unknown' },
  },
  DataTransfer: {
    request: { vendorId: 'com.example', messageId: 'm', data: '{"a":1}' },
    response: { status: 'UnknownVendorId', data: 'x' },
  },
  DiagnosticsStatusNotification: { request: { status: 'Uploading' }, response: {} },
  FirmwareStatusNotification: { request: { status: 'Installed' }, response: {} },
  GetCompositeSchedule: {
    request: { connectorId: 0, duration: 600, chargingRateUnit: 'W' },
    response: { status: 'Accepted', connectorId: 0, scheduleStart: at, chargingSchedule: schedule },
  },
  GetConfiguration: {
    request: { key: ['HeartbeatInterval'] },
    response: {
      configurationKey: [{ key: 'HeartbeatInterval', readonly: false, value: '300' }],
      unknownKey: ['Nothing'],
    },
  },
  GetDiagnostics: {
    request: { location: 'ftp://files.example/d/', retries: 1, retryInterval: 60, startTime: at, stopTime: later },
    response: { fileName: 'diagnostics.zip' },
  },
  GetLocalListVersion: { request: {}, response: { listVersion: -1 } },
  Heartbeat: { request: {}, response: { currentTime: at } },
  MeterValues: { request: { connectorId: 1, transactionId: 7, meterValue }, response: {} },
  RemoteStartTransaction: {
    request: { idTag: '04E1A2B3', connectorId: 1, chargingProfile: profileOfStart },
    response: { status: 'Rejected' },
  },
  RemoteStopTransaction: { request: { transactionId: 7 }, response: accepted },
  ReserveNow: {
    request: { connectorId: 0, expiryDate: at, idTag: 'A', parentIdTag: 'B', reservationId: 3 },
    response: { status: 'Occupied' },
  },
  Reset: { request: { type: 'Hard' }, response: accepted },
  SendLocalList: {
    request: {
      listVersion: 1,
      updateType: 'Differential',
      localAuthorizationList: [{ idTag: 'A', idTagInfo }, { idTag: 'B' }],
    },
    response: { status: 'VersionMismatch' },
  },
  SetChargingProfile: {
    request: { connectorId: 1, csChargingProfiles: chargingProfile },
    response: { status: 'NotSupported' },
  },
  StartTransaction: {
    request: { connectorId: 1, idTag: 'A', meterStart: 100, timestamp: at, reservationId: 3 },
    response: { idTagInfo, transactionId: 7 },
  },
  StatusNotification: {
    request: {
      connectorId: 0,
      errorCode: 'NoError',
      status: 'Available',
      info: 'x',
      timestamp: at,
      vendorId: 'v',
      vendorErrorCode: 'e',
    },
    response: {},
  },
  StopTransaction: {
    request: {
      transactionId: 7,
      meterStop: 200,
      timestamp: at,
      idTag: 'A',
      reason: 'EVDisconnected',
      transactionData: meterValue,
    },
    response: { idTagInfo },
  },
  TriggerMessage: {
    request: { requestedMessage: 'MeterValues', connectorId: 1 },
    response: { status: 'NotImplemented' },
  },
  UnlockConnector: { request: { connectorId: 1 }, response: { status: 'Unlocked' } },
  UpdateFirmware: {
    request: { location: 'https://files.example/f.bin', retrieveDate: at, retries: 1, retryInterval: 60 },
    response: {},
  },
  CertificateSigned: { request: { certificateChain: pem }, response: accepted },
  DeleteCertificate: { request: { certificateHashData: hashData }, response: { status: 'NotFound' } },
  ExtendedTriggerMessage: {
    request: { requestedMessage: 'SignChargePointCertificate', connectorId: 1 },
    response: { status: 'NotImplemented' },
  },
  GetInstalledCertificateIds: {
    request: { certificateType: 'CentralSystemRootCertificate' },
    response: { status: 'Accepted', certificateHashData: [hashData] },
  },
  GetLog: {
    request: {
      logType: 'SecurityLog',
      requestId: 1,
      retries: 1,
      retryInterval: 60,
      log: { remoteLocation: 'https://files.example/', oldestTimestamp: at, latestTimestamp: at },
    },
    response: { status: 'AcceptedCanceled', filename: 'log.txt' },
  },
  InstallCertificate: {
    request: { certificateType: 'ManufacturerRootCertificate', certificate: pem },
    response: { status: 'Failed' },
  },
  LogStatusNotification: { request: { status: 'Uploaded', requestId: 1 }, response: {} },
  SecurityEventNotification: { request: { type: 'SettingSystemTime', timestamp: at, techInfo: 'x' }, response: {} },
  SignCertificate: { request: { csr: pem }, response: accepted },
  SignedFirmwareStatusNotification: { request: { status: 'InstallVerificationFailed', requestId: 1 }, response: {} },
  SignedUpdateFirmware: {
    request: {
      requestId: 1,
      retries: 1,
      retryInterval: 60,
      firmware: {
        location: 'https://files.example/f.bin',
        retrieveDateTime: at,
        installDateTime: at,
        signingCertificate: pem,
        signature: 'c2ln',
      },
    },
    response: { status: 'InvalidCertificate' },
  },
}

/** Required fields and longest texts as the standard's tables have them, by message and place. */
export const requiredFields: Readonly<Record<string, string>> = {
  'Authorize.request': 'idTag',
  'Authorize.response': 'idTagInfo',
  'BootNotification.request': 'chargePointVendor chargePointModel',
  'BootNotification.response': 'status currentTime interval',
  'CancelReservation.request': 'reservationId',
  'ChangeAvailability.request': 'connectorId type',
  'ChangeConfiguration.request': 'key value',
  'ClearCache.request': '',
  'ClearChargingProfile.request': '',
  'DataTransfer.request': 'vendorId',
  'GetCompositeSchedule.request': 'connectorId duration',
  'GetCompositeSchedule.response': 'status',
  'GetConfiguration.request': '',
  'GetConfiguration.response': '',
  'GetDiagnostics.request': 'location',
  'GetDiagnostics.response': '',
  'GetLocalListVersion.response': 'listVersion',
  'Heartbeat.request': '',
  'Heartbeat.response': 'currentTime',
  'MeterValues.request': 'connectorId meterValue',
  'RemoteStartTransaction.request': 'idTag',
  'RemoteStopTransaction.request': 'transactionId',
  'ReserveNow.request': 'connectorId expiryDate idTag reservationId',
  'Reset.request': 'type',
  'SendLocalList.request': 'listVersion updateType',
  'SetChargingProfile.request': 'connectorId csChargingProfiles',
  'StartTransaction.request': 'connectorId idTag meterStart timestamp',
  'StartTransaction.response': 'idTagInfo transactionId',
  'StatusNotification.request': 'connectorId errorCode status',
  'StopTransaction.request': 'transactionId meterStop timestamp',
  'StopTransaction.response': '',
  'TriggerMessage.request': 'requestedMessage',
  'UnlockConnector.request': 'connectorId',
  'UpdateFirmware.request': 'location retrieveDate',
  'CertificateSigned.request': 'certificateChain',
  'DeleteCertificate.request': 'certificateHashData',
  'ExtendedTriggerMessage.request': 'requestedMessage',
  'GetInstalledCertificateIds.request': 'certificateType',
  'GetInstalledCertificateIds.response': 'status',
  'GetLog.request': 'logType requestId log',
  'GetLog.response': 'status',
  'InstallCertificate.request': 'certificateType certificate',
  'LogStatusNotification.request': 'status',
  'SecurityEventNotification.request': 'type timestamp',
  'SignCertificate.request': 'csr',
  'SignedFirmwareStatusNotification.request': 'status',
  'SignedUpdateFirmware.request': 'requestId firmware',
}

export const longestTexts: readonly (readonly [place: string, maxLength: number])[] = [
  ['Authorize.request.idTag', 20],
  ['Authorize.response.idTagInfo.parentIdTag', 20],
  ['BootNotification.request.chargePointVendor', 20],
  ['BootNotification.request.chargePointModel', 20],
  ['BootNotification.request.chargePointSerialNumber', 25],
  ['BootNotification.request.chargeBoxSerialNumber', 25],
  ['BootNotification.request.firmwareVersion', 50],
  ['BootNotification.request.iccid', 20],
  ['BootNotification.request.imsi', 20],
  ['BootNotification.request.meterType', 25],
  ['BootNotification.request.meterSerialNumber', 25],
  ['ChangeConfiguration.request.key', 50],
  ['ChangeConfiguration.request.value', 500],
  ['DataTransfer.request.vendorId', 255],
  ['DataTransfer.request.messageId', 50],
  ['GetConfiguration.request.key.0', 50],
  ['GetConfiguration.response.configurationKey.0.key', 50],
  ['GetConfiguration.response.configurationKey.0.value', 500],
  ['GetConfiguration.response.unknownKey.0', 50],
  ['GetDiagnostics.response.fileName', 255],
  ['RemoteStartTransaction.request.idTag', 20],
  ['ReserveNow.request.idTag', 20],
  ['ReserveNow.request.parentIdTag', 20],
  ['SendLocalList.request.localAuthorizationList.0.idTag', 20],
  ['StartTransaction.request.idTag', 20],
  ['StatusNotification.request.info', 50],
  ['StatusNotification.request.vendorId', 255],
  ['StatusNotification.request.vendorErrorCode', 50],
  ['StopTransaction.request.idTag', 20],
  ['CertificateSigned.request.certificateChain', 10_000],
  ['DeleteCertificate.request.certificateHashData.issuerNameHash', 128],
  ['DeleteCertificate.request.certificateHashData.issuerKeyHash', 128],
  ['DeleteCertificate.request.certificateHashData.serialNumber', 40],
  ['GetInstalledCertificateIds.response.certificateHashData.0.issuerNameHash', 128],
  ['GetInstalledCertificateIds.response.certificateHashData.0.issuerKeyHash', 128],
  ['GetInstalledCertificateIds.response.certificateHashData.0.serialNumber', 40],
  ['GetLog.request.log.remoteLocation', 512],
  ['GetLog.response.filename', 255],
  ['InstallCertificate.request.certificate', 5_500],
  ['SecurityEventNotification.request.type', 50],
  ['SecurityEventNotification.request.techInfo', 255],
  ['SignCertificate.request.csr', 5_500],
  ['SignedUpdateFirmware.request.firmware.location', 512],
  ['SignedUpdateFirmware.request.firmware.signingCertificate', 5_500],
  ['SignedUpdateFirmware.request.firmware.signature', 800],
]

const phases = 'L1 L2 L3 N L1-N L2-N L3-N L1-L2 L2-L3 L3-L1'
const contexts =
  'Interruption.Begin Interruption.End Other Sample.Clock Sample.Periodic Transaction.Begin Transaction.End Trigger'
const measurands = `Current.Export Current.Import Current.Offered Energy.Active.Export.Register
  Energy.Active.Import.Register Energy.Reactive.Export.Register Energy.Reactive.Import.Register
  Energy.Active.Export.Interval Energy.Active.Import.Interval Energy.Reactive.Export.Interval
  Energy.Reactive.Import.Interval Frequency Power.Active.Export Power.Active.Import Power.Factor Power.Offered
  Power.Reactive.Export Power.Reactive.Import RPM SoC Temperature Voltage`
const sampled = 'MeterValues.request.meterValue.0.sampledValue.0'
const profile = 'SetChargingProfile.request.csChargingProfiles'
const triggers = 'BootNotification FirmwareStatusNotification Heartbeat MeterValues StatusNotification'

/** All values of the standard's enumerations, by a place where they occur. */
export const enumerations: Readonly<Record<string, string>> = {
  [`${sampled}.context`]: contexts,
  [`${sampled}.format`]: 'Raw SignedData',
  [`${sampled}.measurand`]: measurands,
  [`${sampled}.phase`]: phases,
  [`${sampled}.location`]: 'Body Cable EV Inlet Outlet',
  [`${sampled}.unit`]: 'Wh kWh varh kvarh W kW VA kVA var kvar A V K Celcius Celsius Fahrenheit Percent Hertz',
  [`${profile}.chargingProfilePurpose`]: 'ChargePointMaxProfile TxDefaultProfile TxProfile',
  [`${profile}.chargingProfileKind`]: 'Absolute Recurring Relative',
  [`${profile}.recurrencyKind`]: 'Daily Weekly',
  [`${profile}.chargingSchedule.chargingRateUnit`]: 'A W',
  'Authorize.response.idTagInfo.status': 'Accepted Blocked Expired Invalid ConcurrentTx',
  'BootNotification.response.status': 'Accepted Pending Rejected',
  'ChangeAvailability.response.status': 'Accepted Rejected Scheduled',
  'ChangeConfiguration.response.status': 'Accepted Rejected RebootRequired NotSupported',
  'ClearChargingProfile.response.status': 'Accepted Unknown',
  'DataTransfer.response.status': 'Accepted Rejected UnknownMessageId UnknownVendorId',
  'DiagnosticsStatusNotification.request.status': 'Idle Uploaded UploadFailed Uploading',
  'FirmwareStatusNotification.request.status':
    'Downloaded DownloadFailed Downloading Idle InstallationFailed Installing Installed',
  'ReserveNow.response.status': 'Accepted Faulted Occupied Rejected Unavailable',
  'SendLocalList.response.status': 'Accepted Failed NotSupported VersionMismatch',
  'SendLocalList.request.updateType': 'Differential Full',
  'SetChargingProfile.response.status': 'Accepted Rejected NotSupported',
  'StatusNotification.request.status':
    'Available Preparing Charging SuspendedEVSE SuspendedEV Finishing Reserved Unavailable Faulted',
  'StatusNotification.request.errorCode': `ConnectorLockFailure EVCommunicationError GroundFailure HighTemperature
    InternalError LocalListConflict NoError OtherError OverCurrentFailure OverVoltage PowerMeterFailure
    PowerSwitchFailure ReaderFailure ResetFailure UnderVoltage WeakSignal`,
  'StopTransaction.request.reason': `DeAuthorized EmergencyStop EVDisconnected HardReset Local Other PowerLoss Reboot
    Remote SoftReset UnlockCommand`,
  'TriggerMessage.request.requestedMessage': `${triggers} DiagnosticsStatusNotification`,
  'TriggerMessage.response.status': 'Accepted Rejected NotImplemented',
  'UnlockConnector.response.status': 'Unlocked UnlockFailed NotSupported',
  'DeleteCertificate.response.status': 'Accepted Failed NotFound',
  'DeleteCertificate.request.certificateHashData.hashAlgorithm': 'SHA256 SHA384 SHA512',
  'ExtendedTriggerMessage.request.requestedMessage': `${triggers} LogStatusNotification SignChargePointCertificate`,
  'GetInstalledCertificateIds.request.certificateType': 'CentralSystemRootCertificate ManufacturerRootCertificate',
  'GetLog.request.logType': 'DiagnosticsLog SecurityLog',
  'GetLog.response.status': 'Accepted Rejected AcceptedCanceled',
  'InstallCertificate.response.status': 'Accepted Failed Rejected',
  'LogStatusNotification.request.status':
    'BadMessage Idle NotSupportedOperation PermissionDenied Uploaded UploadFailure Uploading',
  'SignedFirmwareStatusNotification.request.status': `DownloadScheduled DownloadPaused Downloading Downloaded
    SignatureVerified InstallScheduled InstallRebooting Installing Installed DownloadFailed InvalidSignature
    InstallVerificationFailed InstallationFailed Idle`,
  'SignedUpdateFirmware.response.status': 'Accepted Rejected AcceptedCanceled InvalidCertificate RevokedCertificate',
}
