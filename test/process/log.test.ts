// The log as an operator reads it: lines on standard output, and no secret in any of them.

import { spawnSync } from 'node:child_process'
import { test } from 'tap'

const log = new URL('../../src/process/log.js', import.meta.url).href
const errors = new URL('../../src/runtime/errors.js', import.meta.url).href
const secret = 'hunter2'

/** What a process writes that runs `script` with a log named `log`. */
function written(script: string, terminal = false): string {
  const program = `
    import { createLog } from ${JSON.stringify(log)}
    import { conflict } from ${JSON.stringify(errors)}
    const log = createLog({ level: 'info', thread: 'front/0', terminal: ${terminal} })
    const secret = ${JSON.stringify(secret)}
    ${script}`
  const run = spawnSync(process.execPath, ['--input-type=module', '--eval', program], { encoding: 'utf8' })
  if (run.status !== 0) throw new Error(run.stderr)
  return run.stdout
}

test('log - one JSON line each, with thread and level; less severe ones are left out', (t) => {
  const lines = written(`log.debug('no'); log.info({ port: 1 }, 'ready'); log.warn('careful')`).trim().split('\n')
  t.equal(lines.length, 2)
  t.match(JSON.parse(lines[0] as string), { level: 30, thread: 'front/0', port: 1, msg: 'ready' })
  t.match(JSON.parse(lines[1] as string), { level: 40, msg: 'careful' })
  t.end()
})

const carriers: readonly string[] = [
  `log.info({ api_key: secret }, 'x')`,
  `log.info({ headers: { 'x-api-key': secret, Authorization: 'Basic ' + secret } }, 'x')`,
  `log.info({ request: { headers: { authorization: secret } } }, 'x')`,
  `log.info({ a: { b: { c: { d: { password: secret } } } } }, 'x')`,
  `log.info({ list: [{ token: secret }, { private_key_pem: secret }] }, 'x')`,
  `log.info({ authorization_key: secret, AuthorizationKey: secret }, 'x')`,
  `log.info({ payload: { key: 'AuthorizationKey', value: secret } }, 'x')`,
  `log.info({ settings: { bootstrap_api_key: secret } }, 'x')`,
  `log.info({ idTag: secret, request: { id_tag: secret } }, 'x')`,
  `log.error({ err: Object.assign(new Error('x'), { config: { password: secret } }) }, 'x')`,
  `log.error(Object.assign(new Error('x'), { cause: { token: secret } }))`,
]

for (const terminal of [false, true]) {
  test(`log - no secret is written${terminal ? ', on a terminal neither' : ''}`, (t) => {
    const text = written(carriers.join('\n'), terminal)
    t.notMatch(text, secret)
    t.ok(text.split('[redacted]').length > carriers.length, 'it is said that something was left out')
    t.end()
  })
}

test('log - characters that a terminal may obey or reorder are escaped, and come back from the JSON', (t) => {
  const text = 'a\u009b31m\u202eb\u001b[2Jc\u2066'
  const script = `log.info({ text: ${JSON.stringify(text)}, err: new Error(${JSON.stringify(text)}) }, 'x')`
  const unprintable = /[\u0080-\u009f]|\p{Bidi_Control}/u
  const line = written(script)
  t.notMatch(line, unprintable)
  t.notOk(line.includes('\u001b[2J'))
  t.match(JSON.parse(line), { text, err: { message: text } })
  const readable = written(script, true)
  t.notMatch(readable, unprintable)
  t.notOk(readable.includes('\u001b[2J'))
  t.match(readable, 'a\\u009b31m\\u202eb')
  t.end()
})

test('log - on a terminal, no text makes a line of its own but the stack of an error', (t) => {
  const text = 'a\nINFO: forged\u001b[2J\u007f'
  const script = `
    const text = ${JSON.stringify(text)}
    log.info({ text, [text]: { [text]: text } }, text)
    log.info({ text: 'a\\\\nb' }, 'a backslash')
    log.error({ err: new Error(text) }, 'failed')`
  const readable = written(script, true)
  t.notMatch(readable, /^\s*INFO: forged/m)
  t.notMatch(readable, /[^\P{Cc}\n]/u)
  t.match(readable, /^ +at /m)
  for (const line of written(script).trim().split('\n')) t.doesNotThrow(() => JSON.parse(line))
  t.end()
})

test('log - errors keep their message, their place and what caused them', (t) => {
  const text = written(`log.error({ err: conflict('two at once', { cause: new RangeError('why') }) }, 'failed')`)
  const { err } = JSON.parse(text)
  t.match(err, { type: 'AmpshardError', message: 'two at once', code: 'conflict', cause: { message: 'why' } })
  t.match(err.stack, /at /)
  t.end()
})

test('log - what is no secret stays, at any depth', (t) => {
  const line = JSON.parse(written(`log.info({ a: { b: [1, 'x', null, { c: true }] }, key_count: 3 }, 'x')`))
  t.match(line, { a: { b: [1, 'x', null, { c: true }] }, key_count: 3 })
  t.end()
})

test('log - the stack of an error names the files of the sources, also where the program was built into few files', (t) => {
  const thread = JSON.stringify(new URL('../../program/front-thread.js', import.meta.url).href)
  const script = `await import(${thread}).catch((err) => log.error({ err }, 'not a thread'))`
  t.match(JSON.parse(written(script)).err.stack, /^ +at src\/process\/front-thread\.ts:\d+:\d+$/m)
  t.end()
})
