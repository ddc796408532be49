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
  port: integer('port of OCPP, API and reference', 8080, 0, 65_535),
  host: Type.String({ description: 'address to listen on', default: '127.0.0.1' }),
  data: Type.String({ description: 'data directory, on a local disk', default: './data' }),
  public_url: text('address under which charge points reach the service, for the banner and answers (ws:// or wss://)'),
  low_space_megabytes: Type.Optional(
    Type.Integer({
      description:
        'free space of the data directory under which it is low, in MiB; unless set, 1024 or a twentieth of the disk, whichever is less',
      minimum: 1,
      maximum: 1_048_576,
    }),
  ),
  shards: integer('shard threads; 0 takes the cores less two, at least one', 0, 0, 64),
  fronts: integer('front threads', 1, 1, 16),
  log_level: choice(
    'least severe log line that is written: debug adds each request, connection, refusal and message without what it carries, trace adds that too, with secrets masked',
    ['trace', 'debug', 'info', 'warn', 'error', 'silent'],
    'info',
  ),
  bootstrap_api_key: text('first API key of an empty store, instead of a made one', {
    minLength: 32,
    maxLength: 200,
    ...patternOf('^[\\x21-\\x7e]+$', 'printable ASCII characters without spaces'),
    secret: true,
  }),
  organization_name: text('name of the first organization of an empty store; Default unless set', {
    minLength: 1,
    maxLength: 200,
  }),
  organization_country: text(
    'country of the first organization of an empty store, such as NL (ISO 3166-1); ZZ, which is no country, unless set',
    assignedCountry,
  ),
  unknown_charge_points: choice('what happens to an id that is not registered', ['reject', 'accept'], 'reject'),
  require_subprotocol: Type.Boolean({ description: 'refuse charge points that offer no subprotocol', default: false }),
  heartbeat_interval_seconds: integer('interval that BootNotification answers, jittered by a tenth', 300, 1, 86_400),
  boot_retry_seconds: integer('interval that a Pending or Rejected BootNotification answers', 60, 1, 86_400),
  provisional_close_seconds: integer(
    'time after Available in which a StopTransaction is awaited before a session is closed by estimate',
    600,
    1,
    86_400,
  ),
  ping_interval_seconds: integer(
    'seconds between WebSocket pings, 0 for none; a charge point may have its own',
    30,
    0,
    3_600,
  ),
  dead_peer_seconds: integer(
    'silence after which a charge point that never answered a ping is taken for gone',
    120,
    1,
    86_400,
  ),
  connects_per_second: integer(
    'connections that one front takes a second; the rest are told to come back',
    5_000,
    1,
    1_000_000,
  ),
  flap_connects_per_minute: integer(
    'connections of one charge point in a minute before it has to wait',
    15,
    1,
    1_000_000,
  ),
  flap_wait_seconds: integer('how long such a charge point has to wait', 60, 1, 3_600),
  frames_per_second: integer('frames a second of one charge point, on average', 100, 1, 10_000_000),
  frame_burst: integer('frames of one charge point at once', 1_000, 1, 10_000_000),
  enterprise_quota: Type.Optional(
    Type.Integer({
      description: 'API requests an hour of a key of the enterprise plan; none unless set',
      minimum: 1,
      formerNames: ['enterprise_quota_per_hour'],
    }),
  ),
  tls_key_file: text('private key of the listener, PEM; with tls_certificate_file it turns TLS on'),
  tls_certificate_file: text('certificate chain of the listener, PEM'),
  tls_second_key_file: text(
    'private key of a second certificate of the listener, PEM: elliptic where the first is RSA, or the other way round',
  ),
  tls_second_certificate_file: text('its certificate chain, PEM; each charge point gets the one that it can use'),
  tls_client_ca_file: text('authority of client certificates, PEM: security profile 3'),
  client_ca_key_file: text('private key of that authority, PEM: signs the requests of SignCertificate'),
  cpo_name: text(
    'name of the operator that the organization (O) of a client certificate must contain; not looked at unless set',
    { minLength: 1, maxLength: 64, ...patternOf('\\S', 'a name that is not blank') },
  ),
  passivate_seconds: integer('idle time after which an actor leaves memory, until its next message', 30, 1, 86_400),
  stuck_shard_seconds: integer('time without a sign of life after which a shard is replaced', 5, 1, 600),
  shard_memory_megabytes: integer('heap of one shard, over which it is replaced', 4_096, 64, 1_048_576),
  alert_settle_seconds: integer(
    'time for which the cause of an alert has to be gone before it is resolved',
    60,
    0,
    3_600,
  ),
  audit_retention_days: integer('days that entries of the audit log are kept', 365, 1, 36_500),
  event_retention_days: integer('days that events stay in the feed and can be delivered', 30, 1, 3_650),
  payment_provider: choice('provider of payments by guests; the sandbox moves no money', ['sandbox'], 'sandbox'),
  guest_preauthorisation_amount: integer(
    'what is set aside for a guest session, in units of its currency; a hundred times as many of one without decimals',
    50,
    1,
    100_000,
  ),
  allow_insecure_webhooks: Type.Boolean({
    description:
      'call webhooks over http and at private addresses too: for a laboratory, never where tenants are strangers',
    default: false,
  }),
  smtp_url: text(
    'mail server, with user and password where it wants them (smtp:// or smtps://); mails become files without it',
    { secret: true },
  ),
  mail_from: text('sender of mails: an address, or a name and an address in angle brackets', { maxLength: 320 }),
  app_url: text(
    'your own application, which mails link to; without it they name the requests to the API (http:// or https://)',
  ),
  drain_seconds: integer('time that a graceful end may take', 9, 1, 600),
})

export type Settings = Static<typeof settingsSchema>
