// The program's commands as somebody meets them who has only --help.

import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { commands } from '../../src/process/commands.js'
import { version } from '../../src/process/version.js'

const program = fileURLToPath(new URL('../../program/main.js', import.meta.url))

function run(...argv: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...argv], { encoding: 'utf8' })
  return { status, stdout, stderr }
}

test('ampshard - its help lists every command, and every command has help and the version', (t) => {
  const { status, stdout } = run('--help')
  t.equal(status, 0)
  t.match(stdout, /^Usage: ampshard \[options\] \[command\]$/m)
  t.match(stdout, /^ {2}--port </m)
  for (const [name, description] of Object.entries(commands)) {
    t.match(stdout, new RegExp(`^ {2}${name} `, 'm'))
    const help = run(name, '--help')
    t.equal(help.status, 0)
    t.ok(help.stdout.startsWith(`Usage: ampshard ${name} [options]`), help.stdout)
    t.ok(help.stdout.replace(/\s+/g, ' ').includes(description), help.stdout)
    t.same(run(name, '--version'), { status: 0, stdout: `${version}\n`, stderr: '' })
  }
  t.same(run('--version'), { status: 0, stdout: `${version}\n`, stderr: '' })
  t.end()
})

test('ampshard - a command that there is not, or that comes after the flags, is one line', (t) => {
  t.same(run('bakcup'), {
    status: 1,
    stdout: '',
    stderr: "ampshard: there is no command 'bakcup': ampshard --help lists the commands\n",
  })
  t.same(run('--port', '8080', 'backup', '/backups/a', '--no-check'), {
    status: 1,
    stdout: '',
    stderr: 'ampshard: the command goes first: ampshard backup\n',
  })
  t.end()
})
