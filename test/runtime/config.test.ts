// Settings: flags and variables, and one clear line for what is wrong.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { Type } from 'typebox'
import { readSettings, unknownVariables } from '../../src/runtime/config.js'
import { SettingsError } from '../../src/runtime/settings-error.js'
import { publicUrlOf, type Settings, settingsSchema } from '../../src/settings.js'

const program = fileURLToPath(new URL('../../program/main.js', import.meta.url))

function read(given: readonly string[], environment: Readonly<Record<string, string>> = {}): Settings {
  return readSettings<Settings>(settingsSchema, {
    program: 'ampshard',
    description: 'Charge point management system.',
    environmentPrefix: 'AMPSHARD',
    version: '1.2.3',
    arguments: given,
    environment,
  })
}

function refusal(given: readonly string[], environment: Readonly<Record<string, string>> = {}): string {
  try {
    read(given, environment)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  return 'it was taken'
}

test('settings - what is not given has its default', (t) => {
  t.match(read([]), {
    port: 8080,
    host: '127.0.0.1',
    data: './data',
    require_subprotocol: false,
    unknown_charge_points: 'reject',
  })
  t.notOk('tls_key_file' in read([]))
  t.end()
})

/** A value of each setting that takes no other text than one of a pattern. */
const patterned: Readonly<Record<string, string>> = {
  public_url: 'wss://cs.example.com/a',
  public_api_url: 'https://api.example.com/a',
  trusted_proxies: '10.0.0.0/8',
  allowed_origins: 'https://tools.example.com',
}

test('settings - every setting is taken as a flag and as a variable, and the flag wins', (t) => {
  const values: Record<string, { text: string; value: unknown }> = {}
  for (const [name, schema] of Object.entries(settingsSchema.properties)) {
    const { type, minimum, pattern, ...rest } = schema as { type: string; minimum?: number; pattern?: string }
    const choice = (rest as { enum?: string[] }).enum?.at(-1)
    if (type === 'integer') values[name] = { text: String((minimum ?? 0) + 1), value: (minimum ?? 0) + 1 }
    else if (type === 'boolean') values[name] = { text: 'true', value: true }
    else {
      const text = choice ?? patterned[name] ?? 'x'.repeat(40)
      values[name] = { text, value: text }
    }
  }
  const flags = Object.entries(values).flatMap(([name, { text }]) => [`--${name.replaceAll('_', '-')}`, text])
  const variables = Object.entries(values).map(([name, { text }]) => [`AMPSHARD_${name.toUpperCase()}`, text])
  const expected = Object.fromEntries(Object.entries(values).map(([name, { value }]) => [name, value]))
  t.same(read(flags), expected)
  t.same(read([], Object.fromEntries(variables)), expected)
  t.equal(read(['--port', '1'], { AMPSHARD_PORT: '2' }).port, 1)
  t.end()
})

test('settings - a switch needs no value, and takes one', (t) => {
  t.equal(read(['--require-subprotocol']).require_subprotocol, true)
  t.equal(read(['--require-subprotocol', 'false']).require_subprotocol, false)
  t.equal(read([], { AMPSHARD_REQUIRE_SUBPROTOCOL: 'true' }).require_subprotocol, true)
  t.end()
})

test('settings - a wrong value is one line that names the flag or variable that has it', (t) => {
  const wrong: readonly (readonly [readonly string[], RegExp])[] = [
    [['--port', 'abc'], /^--port must be a whole number \(it is "abc"\)$/],
    [['--port', '65536'], /^--port must be at most 65535/],
    [['--port', '-1'], /^--port must be at least 0/],
    [['--port', '1.5'], /^--port must be a whole number/],
    [['--port='], /^--port must be a whole number$/],
    [['--port', '1e3'], /^--port must be a whole number \(it is "1e3"\)$/],
    [['--port', '0x10'], /^--port must be a whole number/],
    [['--port', ' 1'], /^--port must be a whole number/],
    [['--port', '1.0'], /^--port must be a whole number/],
    [['--host', 'a\nb'], /^--host must not contain control characters \(it is "a\\nb"\)$/],
    [['--data', 'a\u009bb'], /^--data must not contain control characters/],
    [['--log-level', 'loud'], /^--log-level must be one of trace, debug, info, warn, error, silent \(it is "loud"\)$/],
    [['--unknown-charge-points', 'maybe'], /^--unknown-charge-points must be one of reject, accept/],
    [['--require-subprotocol', 'perhaps'], /^--require-subprotocol must be true or false/],
    [['--port'], /--port .*argument missing/],
    [['--prot', '1'], /^unknown option '--prot' \(Did you mean --port\?\)$/],
    [['serve'], /^too many arguments/],
  ]
  for (const [given, expected] of wrong) {
    t.match(refusal(given), expected, given.join(' '))
    t.notMatch(refusal(given), /\n/)
  }
  t.match(refusal([], { AMPSHARD_PORT: 'abc' }), /^AMPSHARD_PORT must be a whole number/)
  t.match(refusal([], { AMPSHARD_PORT: '70000' }), /^AMPSHARD_PORT must be/)
  t.match(refusal(['--port', '70000'], { AMPSHARD_PORT: '1' }), /^--port must be/)
  t.end()
})

test('settings - an empty text is refused, as a flag and as a variable', (t) => {
  const texts = Object.entries(settingsSchema.properties).filter(([, { type }]) => type === 'string')
  t.ok(texts.length > 10)
  for (const [name] of texts) {
    const flag = `--${name.replaceAll('_', '-')}`
    const variable = `AMPSHARD_${name.toUpperCase()}`
    const refused = 'must not be empty: leave it out, or give it a value'
    t.equal(refusal([`${flag}=`]), `${flag} ${refused}`)
    t.equal(refusal([], { [variable]: '' }), `${variable} ${refused}`)
  }
  t.match(refusal(['--data', '  ']), /^--data must not be empty/)
  t.end()
})

test('settings - a secret that is given as a flag is reported, with the variable to use instead', (t) => {
  const reported: string[] = []
  const given = (words: readonly string[], environment: Readonly<Record<string, string>> = {}) =>
    readSettings<Settings>(settingsSchema, {
      ...{ program: 'ampshard', description: '', environmentPrefix: 'AMPSHARD', version: '1' },
      arguments: words,
      environment,
      onVisibleSecret: (flag, variable) => reported.push(`${flag} ${variable}`),
    })
  given([], { AMPSHARD_SMTP_URL: 'smtp://mail.example.com' })
  t.same(reported, [])
  given(['--smtp-url', 'smtp://mail.example.com', '--mail-from', 'a@example.com'])
  t.same(reported, ['--smtp-url AMPSHARD_SMTP_URL'])
  t.end()
})

test('settings - a secret that is wrong is not shown', (t) => {
  const secret = 'hunter2 with a space'
  t.match(refusal(['--bootstrap-api-key', secret]), /^--bootstrap-api-key /)
  t.match(refusal([`--bootstrap-api-kee=${secret}`]), /^unknown option '--bootstrap-api-kee'/)
  for (const given of [['--bootstrap-api-key', secret], [`--bootstrap-api-kee=${secret}`]])
    t.notMatch(refusal(given), /hunter2/)
  t.notMatch(refusal([], { AMPSHARD_BOOTSTRAP_API_KEY: secret }), /hunter2/)
  t.end()
})

test('settings - the first key has 32 to 200 printable characters', (t) => {
  const refused = (key: string) => refusal(['--bootstrap-api-key', key])
  for (const key of ['!'.repeat(32), '~'.repeat(200)])
    t.equal(read(['--bootstrap-api-key', key]).bootstrap_api_key, key)
  t.equal(refused('k'.repeat(201)), '--bootstrap-api-key must have at most 200 characters')
  t.match(refused(`${'k'.repeat(40)} k`), /must be printable ASCII characters/)
  t.match(refused(`${'k'.repeat(40)}é`), /must be printable ASCII characters/)
  t.end()
})

test('settings - a key that is too short is told how long it has to be', (t) => {
  t.equal(refusal(['--bootstrap-api-key', 'short']), '--bootstrap-api-key must have at least 32 characters')
  t.end()
})

test('settings - variables that no setting reads are found', (t) => {
  const environment = { AMPSHARD_PROT: '1', AMPSHARD_PORT: '2', PATH: 'x', AMPSHARDS: 'y' }
  t.same(unknownVariables(settingsSchema, { environmentPrefix: 'AMPSHARD', environment }), ['AMPSHARD_PROT'])
  t.end()
})

test('settings - --version prints the version of the package, and a misspelt variable is named at the start', (t) => {
  const { status, stdout } = spawnSync(process.execPath, [program, '--version'], { encoding: 'utf8' })
  t.equal(status, 0)
  t.match(stdout, /^\d+\.\d+\.\d+\n$/)
  // A data directory that cannot be made ends the start after the settings have been read.
  const started = spawnSync(process.execPath, [program, '--data', '/dev/null/data'], {
    encoding: 'utf8',
    env: {
      ...process.env,
      AMPSHARD_PROT: '1',
      AMPSHARD_API_KEY: 'of another program',
      AMPSHARD_ENTERPRISE_QUOTA_PER_HOUR: '9',
    },
  })
  t.equal(started.status, 1)
  t.match(started.stdout, /AMPSHARD_PROT/)
  t.match(started.stdout, /AMPSHARD_ENTERPRISE_QUOTA_PER_HOUR.*AMPSHARD_ENTERPRISE_QUOTA"/)
  t.notMatch(started.stdout, /AMPSHARD_API_KEY/)
  t.end()
})

test('settings - a country is one that ISO 3166-1 has assigned', (t) => {
  t.equal(read(['--organization-country', 'NL']).organization_country, 'NL')
  t.equal(read(['--organization-country', 'XK']).organization_country, 'XK', 'Kosovo, in practice')
  for (const code of ['ZZ', 'XX', 'UK', 'EU', 'nl'])
    t.equal(
      refusal([`--organization-country=${code}`]),
      `--organization-country must be an assigned country code of ISO 3166-1 alpha-2, such as NL (it is "${code}")`,
    )
  t.end()
})

test('settings - the address for charge points is one that they can use', (t) => {
  for (const url of ['ws://10.0.0.1:8080', 'wss://cs.example.com', 'WSS://cs.example.com/ocpp'])
    t.equal(read(['--public-url', url]).public_url, url)
  for (const url of ['wss://cs.example.com/a', 'wss://cs.example.com/a/', 'wss://cs.example.com/a//'])
    t.equal(publicUrlOf(read(['--public-url', url])), 'wss://cs.example.com/a')
  t.equal(publicUrlOf(read([])), undefined)
  for (const url of [
    'https://x.example',
    'cs.example.com',
    'wss://',
    'wss:///a',
    'wss://x.example?a=1',
    'wss://x example',
  ])
    t.equal(
      refusal(['--public-url', url]),
      `--public-url must be a URL that begins with ws:// or wss:// (it is "${url}")`,
    )
  t.end()
})

test('settings - one that is given by a name that it had before is taken, and the name reported', (t) => {
  const told: string[] = []
  const quota = (given: readonly string[], environment: Readonly<Record<string, string>> = {}) => {
    const options = { program: 'ampshard', description: '', environmentPrefix: 'AMPSHARD', version: '1' }
    const onFormerName = (name: string, instead: string) => told.push(`${name} ${instead}`)
    const all = { ...options, arguments: given, environment, onFormerName }
    return readSettings<Settings>(settingsSchema, all).enterprise_quota
  }
  t.equal(quota(['--enterprise-quota', '5'], { AMPSHARD_ENTERPRISE_QUOTA: '6' }), 5)
  t.equal(quota([], { AMPSHARD_ENTERPRISE_QUOTA: '6' }), 6)
  t.same(told, [])
  const old = { AMPSHARD_ENTERPRISE_QUOTA_PER_HOUR: '7' }
  t.equal(quota([], old), 7)
  t.same(told.splice(0), ['AMPSHARD_ENTERPRISE_QUOTA_PER_HOUR AMPSHARD_ENTERPRISE_QUOTA'])
  t.equal(quota(['--enterprise-quota-per-hour', '8'], { AMPSHARD_ENTERPRISE_QUOTA: '6' }), 8)
  t.same(told.splice(0), ['--enterprise-quota-per-hour --enterprise-quota'])
  t.equal(quota([], { AMPSHARD_ENTERPRISE_QUOTA: '6', ...old }), 6)
  t.equal(told.length, 1)
  t.match(
    refusal([], { AMPSHARD_ENTERPRISE_QUOTA_PER_HOUR: 'x' }),
    /^AMPSHARD_ENTERPRISE_QUOTA_PER_HOUR must be a whole number/,
  )
  t.same(unknownVariables(settingsSchema, { environmentPrefix: 'AMPSHARD', environment: old }), [])
  t.end()
})

test('settings - another program has another prefix', (t) => {
  const schema = Type.Object({ colour: Type.String({ description: 'colour', default: 'red' }) })
  const options = { program: 'other', description: '', environmentPrefix: 'OTHER', arguments: [], version: '1' }
  const environment = { OTHER_COLOUR: 'blue', AMPSHARD_COLOUR: 'green' }
  t.same(readSettings(schema, { ...options, environment }), { colour: 'blue' })
  t.end()
})

test('settings - --help lists every setting with its variable, but no secret, and ends well', (t) => {
  const secret = 'a-secret-of-more-than-thirty-two-characters'
  const help = spawnSync(process.execPath, [program, '--help'], {
    encoding: 'utf8',
    env: { ...process.env, AMPSHARD_BOOTSTRAP_API_KEY: secret },
  })
  t.equal(help.status, 0)
  for (const name of Object.keys(settingsSchema.properties)) {
    t.match(help.stdout, `--${name.replaceAll('_', '-')} `)
    t.match(help.stdout, `env: AMPSHARD_${name.toUpperCase()})`)
  }
  t.notMatch(help.stdout, secret)
  t.end()
})
