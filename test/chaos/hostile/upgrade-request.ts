// The upgrade of a charge point as text, for connections on which nothing else is as it should be.

const lines = [
  'Host: x',
  'Upgrade: websocket',
  'Connection: Upgrade',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Protocol: ocpp1.6',
]

export function upgradeRequest(chargePointId: string, more: readonly string[] = []): string {
  return [`GET /ocpp16/${chargePointId} HTTP/1.1`, ...lines, ...more, '\r\n'].join('\r\n')
}
