// The status codes of OCPI answers (OCPI 2.2.1, 5), declared once.

export const statusCodes = {
  success: 1000,
  clientError: 2000,
  invalidParameters: 2001,
  notEnoughInformation: 2002,
  unknownLocation: 2003,
  unknownToken: 2004,
  serverError: 3000,
  unusableClientApi: 3001,
  unsupportedVersion: 3002,
  noMatchingEndpoints: 3003,
  hubError: 4000,
  unknownReceiver: 4001,
  forwardedTimeout: 4002,
  hubConnectionProblem: 4003,
} as const

export type StatusCode = (typeof statusCodes)[keyof typeof statusCodes]

const words: Readonly<Record<StatusCode, string>> = {
  1000: 'success',
  2000: 'the request cannot be handled',
  2001: 'invalid or missing parameters',
  2002: 'not enough information',
  2003: 'unknown location',
  2004: 'unknown token',
  3000: 'the server failed',
  3001: "unable to use the client's API",
  3002: 'unsupported version',
  3003: 'no matching endpoints or expected endpoints missing',
  4000: 'the hub failed',
  4001: 'unknown receiver',
  4002: 'timeout on a forwarded request',
  4003: 'connection problem of the hub',
}

/** The standard's word for a code; of another code of its hundred, that of the whole hundred. */
export function statusWords(code: number): string {
  return words[code as StatusCode] ?? words[(Math.floor(code / 1000) * 1000) as StatusCode] ?? `status ${code}`
}

/** Whether a partner took the request: 19xx are successes of the partner's own. */
export function isSuccess(code: number): boolean {
  return code >= 1000 && code < 2000
}
