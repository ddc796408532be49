// The files of the built program, and what V8 has compiled of them: it is taken where it fits, and never where it does not.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import vm from 'node:vm'
import { test } from 'tap'
import { bundleParameters, keptFileOf, keptOf, lastLineOf, loadBundle } from '../../src/runtime/load-bundle.js'
import { startService } from '../support/service.js'

const folder = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
const file = join(folder, 'bundle.cjs')

/** Texts of one length. */
const bundleOf = (answer: number): string =>
  `(function (${bundleParameters.join(', ')}) { exports.answer = () => ${answer}; exports.from = importMeta.url })\n` +
  `// ${String(answer).repeat(64)}\n`

/** As if V8 had compiled `text`, to run as what ends with `lastLine`. */
function keep(text: string, lastLine: string): void {
  const script = new vm.Script(text, { filename: pathToFileURL(file).href })
  script.runInThisContext()({}, undefined, {}, '', {})
  writeFileSync(keptFileOf(file), Buffer.concat([Buffer.from(lastLine), script.createCachedData()]))
}

test('load-bundle - what was compiled is taken for the very text alone', (t) => {
  t.teardown(() => rmSync(folder, { recursive: true, force: true }))
  const [one, other] = [bundleOf(1), bundleOf(2)]
  const answer = (): number => (loadBundle(pathToFileURL(file)).answer as () => number)()
  writeFileSync(file, one)
  t.equal(answer(), 1, 'where nothing is kept')

  keep(one, lastLineOf(one))
  t.ok(keptOf(file, one))
  t.equal(answer(), 1)
  t.equal(loadBundle(pathToFileURL(file)).from, pathToFileURL(file).href)

  writeFileSync(file, other)
  t.equal(keptOf(file, other), undefined, 'V8 would take it: the texts have the same length')
  t.equal(answer(), 2)

  writeFileSync(keptFileOf(file), lastLineOf(other))
  t.equal(answer(), 2, 'what is cut off is not taken')
  keep(other, lastLineOf(other))
  const kept = readFileSync(keptFileOf(file))
  for (const [what, broken] of [
    ['cut off', kept.subarray(0, kept.length - 100)],
    ['of another V8', Buffer.concat([kept.subarray(0, 72), Buffer.alloc(4), kept.subarray(76)])],
  ] as const) {
    writeFileSync(keptFileOf(file), broken)
    t.equal(answer(), 2, what)
  }
  t.end()
})

test('load-bundle - each thread of the service starts with what V8 had compiled when the program was built', async (t) => {
  const preload = `data:text/javascript,${encodeURIComponent(`
    import vm from 'node:vm'
    const { Script } = vm
    vm.Script = class extends Script {
      constructor(text, options) {
        super(text, options)
        if (options.filename.endsWith('.cjs')) process._rawDebug(options.filename.replace(/.*\\//, ''), this.cachedDataRejected)
      }
    }`)}`
  const service = await startService(t, { preload })
  const lines = service.complaints().split('\n')
  for (const name of ['main', 'store-thread', 'front-thread', 'shard-thread'])
    t.ok(lines.includes(`${name}.cjs false`), `${name}: ${lines.filter((line) => line.startsWith(name))}`)
})
