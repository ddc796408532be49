// Which build of uWebSockets.js fits which Node.js and system, and what is said where none does.

import { test } from 'tap'
import { chooseBuild, type Host } from '../../src/runtime/thread/uwebsockets.js'

const debian12: Host = { platform: 'linux', architecture: 'x64', abi: '115', glibc: '2.36' }
const choose = (host: Partial<Host>, version = '0.0.0') => chooseBuild({ ...debian12, ...host }, version).package.name

test('uWebSockets.js - a build for the ABI is found in the package that has it, the one with the fewest demands first', (t) => {
  t.equal(choose({}), 'uWebSockets.js')
  t.equal(choose({ abi: '127', glibc: '2.28' }), 'uWebSockets.js')
  t.equal(choose({ abi: '137', glibc: '2.38' }), 'uWebSockets.js-20.57')
  t.equal(choose({ abi: '141', glibc: '2.41' }), 'uWebSockets.js-20.57')
  t.equal(choose({ platform: 'darwin', architecture: 'arm64', abi: '137', glibc: undefined }), 'uWebSockets.js-20.57')
  t.end()
})

test('uWebSockets.js - where no build fits, one line says what to use', (t) => {
  const refused = (host: Partial<Host>, version: string, message: string) =>
    t.throws(() => choose(host, version), { message })
  refused(
    { abi: '137' },
    '24.21.0',
    'the build of uWebSockets.js for Node.js 24.21.0 needs glibc 2.38, and this system has 2.36: use Node.js 20 or 22',
  )
  refused({ abi: '131' }, '23.1.0', 'there is no build of uWebSockets.js for Node.js 23.1.0: use Node.js 20 or 22')
  refused(
    { abi: '131', glibc: '2.41' },
    '23.1.0',
    'there is no build of uWebSockets.js for Node.js 23.1.0: use Node.js 20 or 22 or 24 or 25',
  )
  refused(
    { glibc: undefined },
    '20.20.2',
    'uWebSockets.js needs glibc, which this system lacks: use a Linux with glibc, such as Debian',
  )
  refused(
    { platform: 'freebsd', glibc: undefined },
    '20.20.2',
    'there is no build of uWebSockets.js for freebsd on x64: use Linux, macOS or Windows on x64 or arm64',
  )
  t.end()
})
