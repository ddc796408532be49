// A charge point that goes up the security profiles (security whitepaper, A05): it keeps what it is sent, connects with what its profile
// demands, and refuses a profile that it has not what it takes for.

import { connectOcpp, type OcppClient } from './ocpp-client.js'
import { makeRequest, opensslFolder } from './openssl.js'
import type { Service } from './service.js'

export interface SecurityBoxOptions {
  /** PEM that it trusts from the start. */
  readonly ca?: string
  /** Instead of what it answers; null answers nothing, and what it was sent is kept all the same. */
  readonly answer?: (what: string) => object | null | undefined
}

export interface SecurityBox {
  /** What it was asked, in order: the action, and what of it tells one from another. */
  readonly asked: readonly string[]
  readonly profile: () => number
  readonly password: () => string | undefined
  /** PEM of what it was told to trust. */
  readonly authority: () => string | undefined
  /** In the way of its profile; boots. */
  connect(service: Pick<Service, 'ocppUrl'>): Promise<OcppClient>
  close(): Promise<void>
}

// biome-ignore lint/suspicious/noExplicitAny: what the service sends is of many shapes
type Payload = any

export function securityBox(id: string, { ca, answer }: SecurityBoxOptions = {}): SecurityBox {
  const { csr, keyPem } = makeRequest(opensslFolder(), 'P-256', `/CN=${id}`)
  const asked: string[] = []
  let profile = 0
  let password: string | undefined
  let authority: string | undefined
  let certificate: string | undefined
  let client: OcppClient | undefined
  let url = ''

  async function connect(): Promise<OcppClient> {
    const usesPassword = password !== undefined && (profile === 1 || profile === 2)
    const authorization = Buffer.concat([Buffer.from(`${id}:`), Buffer.from(password ?? '', 'hex')]).toString('base64')
    const mutual = profile === 3 ? { key: keyPem, cert: certificate } : {}
    const own = await connectOcpp(`${url}/${id}`, {
      ...(usesPassword && { headers: { authorization: `Basic ${authorization}` } }),
      ...(ca !== undefined && { tls: { ca, ...mutual } }),
    })
    client = own
    void listen(own)
    await own.boot()
    return own
  }

  function take(action: string, payload: Payload): object {
    if (action === 'InstallCertificate') authority = payload.certificate
    if (action === 'CertificateSigned') certificate = payload.certificateChain
    if (action === 'GetConfiguration')
      return { configurationKey: [{ key: 'SecurityProfile', readonly: false, value: String(profile) }] }
    if (payload.key === 'AuthorizationKey') password = payload.value
    if (payload.key !== 'SecurityProfile') return { status: 'Accepted' }
    const wanted = Number(payload.value)
    const isReady = (wanted === 3 ? certificate : password) !== undefined && (wanted === 1 || authority !== undefined)
    if (wanted <= profile || !isReady) return { status: 'Rejected' }
    profile = wanted
    return { status: 'Accepted' }
  }

  async function listen(own: OcppClient): Promise<void> {
    for (;;) {
      const [, messageId, action, payload] = (await own.nextFrame()) as [number, string, string, Payload]
      const what = [action, payload.key, payload.requestedMessage, payload.type].filter(Boolean).join(' ')
      asked.push(
        action === 'ChangeConfiguration' && payload.key === 'SecurityProfile' ? `${what} ${payload.value}` : what,
      )
      const given = answer?.(asked.at(-1) ?? '')
      const before = profile
      const does = given === undefined || given === null ? take(action, payload) : given
      if (given === null) continue
      own.raw(JSON.stringify([3, messageId, does]))
      if (action === 'ExtendedTriggerMessage' && 'status' in does && does.status === 'Accepted')
        setImmediate(() => void own.call('SignCertificate', { csr }))
      if (profile !== before || action === 'Reset') {
        await own.close()
        await connect()
        return
      }
    }
  }

  return {
    asked,
    profile: () => profile,
    password: () => password,
    authority: () => authority,
    async connect(service) {
      url = service.ocppUrl
      return connect()
    },
    close: async () => client?.close(),
  }
}
