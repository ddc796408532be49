// The configuration keys that OCPP 1.6 names (9), with those of its errata and of the security white paper (2.4). Any other key is a vendor's own.

const standardKeys: ReadonlySet<string> = new Set(
  [
    'AllowOfflineTxForUnknownId AuthorizationCacheEnabled AuthorizeRemoteTxRequests BlinkRepeat ClockAlignedDataInterval ConnectionTimeOut',
    'ConnectorPhaseRotation ConnectorPhaseRotationMaxLength GetConfigurationMaxKeys HeartbeatInterval LightIntensity LocalAuthorizeOffline',
    'LocalPreAuthorize MaxEnergyOnInvalidId MessageTimeout MeterValuesAlignedData MeterValuesAlignedDataMaxLength MeterValuesSampledData',
    'MeterValuesSampledDataMaxLength MeterValueSampleInterval MinimumStatusDuration NumberOfConnectors ResetRetries StopTransactionMaxMeterValues',
    'StopTransactionOnEVSideDisconnect StopTransactionOnInvalidId StopTxnAlignedData StopTxnAlignedDataMaxLength StopTxnSampledData',
    'StopTxnSampledDataMaxLength SupportedFeatureProfiles SupportedFeatureProfilesMaxLength TransactionMessageAttempts',
    'TransactionMessageRetryInterval UnlockConnectorOnEVSideDisconnect WebSocketPingInterval',
    'LocalAuthListEnabled LocalAuthListMaxLength SendLocalListMaxLength',
    'ReserveConnectorZeroSupported',
    'ChargeProfileMaxStackLevel ChargingScheduleAllowedChargingRateUnit ChargingScheduleMaxPeriods ConnectorSwitch3to1PhaseSupported',
    'MaxChargingProfilesInstalled',
    'SupportedFileTransferProtocols',
    'AdditionalRootCertificateCheck AuthorizationKey CertificateSignedMaxChainSize CertificateStoreMaxLength CpoName SecurityProfile',
  ]
    .join(' ')
    .toLowerCase()
    .split(' '),
)

/** Keys are compared without regard to case (OCPP 1.6, 9). */
export function isStandardKey(key: string): boolean {
  return standardKeys.has(key.toLowerCase())
}
