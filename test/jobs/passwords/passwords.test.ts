// Passwords as they are stored and compared.

import { test } from 'tap'
import { checkPassword, hashPassword } from '../../../src/jobs/passwords/passwords.js'

const owner = '192.0.2.1'

test('passwords - a hash is of one password, never the same twice, and names its parameters', (t) => {
  const password = 'Ladestation 2026'
  const [hash, another] = [hashPassword({ owner, password }), hashPassword({ owner, password })]
  t.match(hash, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  t.not(hash, another)
  t.equal(checkPassword({ owner, password, hash }), true)
  t.equal(checkPassword({ owner, password: 'ladestation 2026', hash }), false)
  t.equal(checkPassword({ owner, password, hash: undefined }), false)
  t.equal(checkPassword({ owner, password: '', hash: undefined }), false, 'nor is it that of nobody')
  t.end()
})

test('passwords - comparing with nobody\u2019s takes as much of the processor', (t) => {
  const hash = hashPassword({ owner, password: 'Ladestation 2026' })
  const cost = (given: string | undefined): number => {
    const before = process.cpuUsage()
    for (let at = 0; at < 10; at++) checkPassword({ owner, password: 'Wrong 20 26', hash: given })
    const { user, system } = process.cpuUsage(before)
    return user + system
  }
  cost(undefined)
  const ratio = cost(undefined) / cost(hash)
  t.ok(ratio > 0.6 && ratio < 1.7, `${ratio}`)
  t.end()
})
