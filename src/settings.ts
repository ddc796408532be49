// Every setting of the service: its name, type, bounds, default and meaning. Flags, variables, --help and the manual's table follow from it.

import { type Static, Type } from 'typebox'
import { assignedCountry } from './runtime/countries.js'
import { patternOf } from './runtime/fault-words.js'

const text = (description: string, options: object = {}) => Type.Optional(Type.String({ description, ...options }))
const integer = (description: string, fallback: number, minimum: number, maximum: number) =>
  Type.Integer({ description, default: fallback, minimum, maximum })
const choice = (description: string, values: readonly string[], fallback: string) =>
  Type.String({ description, enum: [...values], default: fallback })

export const settingsSchema = Type.Object({
  port: integer(
    'Port on which charge points, the API and the reference are served. 0 chooses a free one.',
    8080,
    0,
    65_535,
  ),
  host: Type.String({ description: 'Address to listen on. 0.0.0.0 listens on all of them.', default: '127.0.0.1' }),
  data: Type.String({ description: 'Directory of the store. It must be on a local disk.', default: './data' }),
  public_url: text(
    'Address under which charge points reach the service, if it is not the one that it listens on (ws:// or wss://). It is shown at the start and in answers.',
    patternOf('^[wW][sS][sS]?://[^\\s/?#]+[^\\s?#]*$', 'a URL that begins with ws:// or wss://'),
  ),
  public_api_url: text(
    'Address under which roaming partners reach the API, if it is not that of --public-url with http in the place of ws. It begins every address that partners are told.',
    patternOf('^[hH][tT][tT][pP][sS]?://[^\\s/?#]+[^\\s?#]*$', 'a URL that begins with http:// or https://'),
  ),
  trusted_proxies: text(
    'Addresses and networks of the proxies in front of the service, separated by commas, such as 10.0.0.0/8. The address of a client that connects through them is taken from --trusted-proxy-header.',
    patternOf(
      '^\\s*[0-9a-fA-F.:]+(?:/[0-9]{1,3})?\\s*(?:,\\s*[0-9a-fA-F.:]+(?:/[0-9]{1,3})?\\s*)*$',
      'IP addresses and networks such as 10.0.0.0/8, separated by commas',
    ),
  ),
  trusted_proxy_header: text(
    'Header to which each of these proxies appends the address that it has seen. Without it: x-forwarded-for.',
    { enum: ['x-forwarded-for', 'forwarded'] },
  ),
  low_space_megabytes: Type.Optional(
    Type.Integer({
      description:
        'Free disk space, in MiB, below which the alert storage_space_low is raised. Without it: 1024 or a twentieth of the disk, whichever is less.',
      minimum: 1,
      maximum: 1_048_576,
    }),
  ),
  shards: integer('Threads that run actors. 0 takes the number of cores less two, but at least one.', 0, 0, 64),
  fronts: integer('Threads that hold connections.', 1, 1, 16),
  log_level: choice(
    'Least severe lines that are logged. debug adds each request, connection, refusal and message, without its content. trace adds the content, with secrets masked.',
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    'info',
  ),
  bootstrap_api_key: text('First API key of an empty store. Without it, the service makes one and prints it.', {
    minLength: 32,
    maxLength: 200,
    ...patternOf('^[\\x21-\\x7e]+$', 'printable ASCII characters without spaces'),
    secret: true,
  }),
  organization_name: text('Name of the first organization of an empty store. Without it: Default.', {
    minLength: 1,
    maxLength: 200,
  }),
  organization_country: text(
    'Country of the first organization of an empty store, such as NL (ISO 3166-1). Without it: ZZ, which stands for none.',
    assignedCountry,
  ),
  unknown_charge_points: choice(
    'Whether charge points that are not registered are rejected, or register themselves by connecting.',
    ['reject', 'accept'],
    'reject',
  ),
  self_registrations_per_hour: integer(
    'Charge points that may register themselves per hour, on average, and at once; a quarter of them, or 10 where that is more, from one address. The others are refused with 503 and Retry-After.',
    1_000,
    1,
    1_000_000,
  ),
  self_registered_charge_points: integer(
    'Charge points that may have registered themselves in all. One whose connector_count somebody has set does not count. The others are refused with 404.',
    10_000,
    1,
    1_000_000,
  ),
  require_subprotocol: Type.Boolean({
    description: 'Refuse charge points that offer no WebSocket subprotocol.',
    default: false,
  }),
  allowed_origins: text(
    'Web pages that may connect as charge points without a password, as origins separated by commas, such as https://tools.example.com. Without it, none but those of the service itself.',
    patternOf(
      '^[^\\s,]+://[^\\s,/]+/?( *, *[^\\s,]+://[^\\s,/]+/?)*$',
      'origins such as https://tools.example.com, separated by commas',
    ),
  ),
  heartbeat_interval_seconds: integer(
    'Heartbeat interval that BootNotification.conf returns, varied by up to a tenth. A charge point whose configuration has a HeartbeatInterval is answered that.',
    300,
    1,
    86_400,
  ),
  boot_retry_seconds: integer(
    'Retry interval that BootNotification.conf returns with Pending or Rejected.',
    60,
    1,
    86_400,
  ),
  provisional_close_seconds: integer(
    'How long after the status Available a missing StopTransaction is awaited. Then the session is closed by estimate.',
    600,
    1,
    86_400,
  ),
  ping_interval_seconds: integer(
    'Time between WebSocket pings. 0 sends none. The registration of a charge point may override it.',
    30,
    0,
    3_600,
  ),
  dead_peer_seconds: integer(
    'Silence after which a charge point that has never answered a ping is disconnected.',
    120,
    1,
    86_400,
  ),
  connects_per_second: integer(
    'New connections that a front accepts per second. The others are refused with 503 and Retry-After.',
    5_000,
    1,
    1_000_000,
  ),
  refusals_per_second: integer(
    'Connections of charge points per second that may be refused to one address, on average, and thirty times as many at once. Those of an address that causes more are refused unseen for a while, except charge points that were let in from there last. Each front counts those that reach it.',
    20,
    1,
    1_000_000,
  ),
  flap_connects_per_minute: integer(
    'Connections of one charge point within a minute after which it has to wait. Each front counts those that reach it.',
    15,
    1,
    1_000_000,
  ),
  flap_wait_seconds: integer(
    'How long a charge point that connects too often has to wait. It waits only at the front that has counted its connections.',
    60,
    1,
    3_600,
  ),
  frames_per_second: integer('Frames per second that a charge point may send, on average.', 100, 1, 10_000_000),
  frame_burst: integer('Frames that a charge point may send at once.', 1_000, 1, 10_000_000),
  requests_per_second: integer(
    'HTTP requests per second that one address may send without a valid API key, on average. Requests for /healthz, /readyz and /metrics, and those with a key that has not been checked lately, are each counted apart. Of IPv6 addresses, the first 64 bits count. Each front counts the requests that reach it, so that several fronts together may take as many times more.',
    50,
    1,
    1_000_000,
  ),
  request_burst: integer(
    'HTTP requests that such an address may send at once. Each front counts those that reach it.',
    300,
    1,
    1_000_000,
  ),
  key_requests_per_second: integer(
    'API requests per second of one key, on average. Each front counts those that reach it.',
    2_000,
    1,
    1_000_000,
  ),
  key_request_burst: integer(
    'API requests that one key may send at once. Each front counts those that reach it.',
    20_000,
    1,
    1_000_000,
  ),
  bytes_per_second: integer(
    'Bytes of frames per second that a charge point may send, on average.',
    250_000,
    1_000,
    1_000_000_000,
  ),
  byte_burst: integer('Bytes of frames that a charge point may send at once.', 10_000_000, 65_536, 1_000_000_000),
  enterprise_quota: Type.Optional(
    Type.Integer({
      description:
        'API requests per hour for a key of an organization with the enterprise plan. Without it, there is no limit.',
      minimum: 1,
      formerNames: ['enterprise_quota_per_hour'],
    }),
  ),
  tls_key_file: text('Private key of the listener (PEM). Together with --tls-certificate-file, it turns TLS on.'),
  tls_certificate_file: text('Certificate chain of the listener (PEM).'),
  tls_authority_file: text(
    'Certificate of the authority that issued the certificate of the listener (PEM). Charge points on their way to security profile 2 or 3 are sent it. Without it, they are sent the last certificate of --tls-certificate-file if that has signed itself.',
  ),
  tls_second_key_file: text(
    'Private key of a second certificate of the listener (PEM): an elliptic-curve key if the first is RSA, or the other way round.',
  ),
  tls_second_certificate_file: text(
    'Certificate chain of the second certificate (PEM). Each charge point gets the certificate that it can use.',
  ),
  tls_client_ca_file: text(
    'Certificate of the authority that issues client certificates (PEM). It turns security profile 3 on.',
  ),
  client_ca_key_file: text(
    'Private key of that authority (PEM). With it, the service signs the certificate requests of charge points (SignCertificate).',
  ),
  authority_passphrase: text(
    'Passphrase under which the key of the authority that the installation makes is stored. Without it, the key is stored as it is, in a file of its owner alone.',
    { secret: true, minLength: 16, maxLength: 1_000 },
  ),
  cpo_name: text(
    'Name that the organization (O) of a client certificate must contain. Without it, the organization is not checked.',
    { minLength: 1, maxLength: 64, ...patternOf('\\S', 'a name that is not blank') },
  ),
  passivate_seconds: integer('Idle time after which an actor leaves memory until its next message.', 30, 1, 86_400),
  stuck_shard_seconds: integer('Time without a sign of life after which a shard is replaced.', 5, 1, 600),
  stuck_front_seconds: integer(
    'Time without a sign of life of a front after which the process ends, so that it is started again.',
    30,
    5,
    600,
  ),
  shard_memory_megabytes: integer('Size of the heap, in MiB, above which a shard is replaced.', 4_096, 64, 1_048_576),
  alert_settle_seconds: integer(
    'How long the cause of an alert must be gone before the alert is resolved.',
    60,
    0,
    3_600,
  ),
  audit_retention_days: integer('Days for which entries of the audit log are kept.', 365, 1, 36_500),
  event_retention_days: integer('Days for which events stay in the feed and can be delivered.', 30, 1, 3_650),
  message_retention_days: integer(
    'Days for which the messages of charge points are kept with their answers, but for heartbeats and meter values. 0 keeps none but those of captures.',
    3,
    0,
    90,
  ),
  frame_ring_megabytes: integer(
    'Memory of each front, in MiB, for the newest messages of all charge points, heartbeats and meter values included. 0 keeps none there.',
    64,
    0,
    4_096,
  ),
  payment_provider: choice('Payment provider for guests. The sandbox moves no money.', ['sandbox'], 'sandbox'),
  guest_preauthorisation_amount: integer(
    'Amount that is reserved for a guest session, in units of the currency. In a currency without decimals, a hundred times as much.',
    50,
    1,
    100_000,
  ),
  installer_signup: choice(
    'Who may sign up as an installer: anybody (open), anybody who confirms the email address (confirmed), or nobody (closed). Only confirmed and closed keep secret which addresses have an account.',
    ['open', 'confirmed', 'closed'],
    'open',
  ),
  require_identity: Type.Boolean({
    description: 'Let only installers whose identity you have approved commission charge points. Set it in production.',
    default: false,
  }),
  allow_insecure_webhooks: Type.Boolean({
    description:
      'Allow webhook endpoints with http:// and private addresses. Only for a laboratory: never use it if you do not trust every organization.',
    default: false,
  }),
  console: Type.Boolean({
    description: 'Serve the console for operators at /console.',
    default: true,
  }),
  console_insecure: Type.Boolean({
    description:
      'Show the console over plain http also to other machines, which can then read what people sign in with. Only for a laboratory.',
    default: false,
  }),
  oidc_issuer: text(
    'Identity provider (OpenID Connect) at which members sign in to the console: its issuer, such as https://login.example.com. Members are found by the email address that it has verified. It has to know the address of the console, with /console/signed-in behind it, as a redirect URI.',
    { maxLength: 1_000 },
  ),
  oidc_client_id: text('Client id under which the identity provider knows this installation.', {
    minLength: 1,
    maxLength: 500,
  }),
  oidc_client_secret: text(
    'Client secret for the identity provider. Without it, this installation is a public client, which PKCE protects.',
    {
      secret: true,
      minLength: 1,
      maxLength: 1_000,
    },
  ),
  oidc_name: text('Name of the identity provider on the page that signs people in. Without it, its host.', {
    minLength: 1,
    maxLength: 100,
  }),
  smtp_url: text(
    'Mail server, with user and password if it needs them (smtp:// or smtps://). Without it, mails are written to files.',
    { secret: true },
  ),
  mail_from: text('Sender of mails: an address, or a name with the address in angle brackets.', { maxLength: 320 }),
  app_url: text(
    'Address of your own application (http:// or https://), to which mails link. Without it, mails name the requests to the API instead.',
  ),
  drain_seconds: integer('Time that an orderly shutdown may take. Whatever still hangs then is killed.', 9, 1, 600),
})

export type Settings = Static<typeof settingsSchema>

/** The same of the API, as partners reach it. */
export function publicApiUrlOf(settings: Pick<Settings, 'public_url' | 'public_api_url'>): string | undefined {
  const { public_api_url: url } = settings
  return url?.replace(/\/+$/, '') ?? httpUrlOf(publicUrlOf(settings))
}

/** Where people sign in, as they reach it; undefined where there is no console, or nobody has said how others reach the service. */
export function consoleUrlOf(
  settings: Pick<Settings, 'public_url' | 'public_api_url' | 'console'>,
): string | undefined {
  const url = publicApiUrlOf(settings)
  return url === undefined || !settings.console ? undefined : `${url}/console`
}

/** Which invitations are mails with a link; site owners have no page of the console. */
export function invitationLinksOf(settings: Settings): { readonly members: boolean; readonly siteOwners: boolean } {
  const siteOwners = settings.app_url !== undefined
  return { members: siteOwners || consoleUrlOf(settings) !== undefined, siteOwners }
}

/** Of an address of charge points, that of the API beside them: its path is theirs alone. */
export function httpUrlOf(ocppUrl: string): string
export function httpUrlOf(ocppUrl: string | undefined): string | undefined
export function httpUrlOf(ocppUrl: string | undefined): string | undefined {
  return ocppUrl?.replace(/^ws/i, 'http').replace(/^(https?:\/\/[^/]+).*$/i, '$1')
}

/** What paths are put behind: with and without a slash at its end it is the same address. */
export function publicUrlOf({ public_url: url }: Pick<Settings, 'public_url'>): string | undefined {
  return url?.replace(/\/+$/, '')
}
