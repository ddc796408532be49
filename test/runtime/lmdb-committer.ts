// A process that commits one row after another, eight at a time, and says which are acknowledged.
// `node lmdb-committer.js <directory> <first number>`; it ends when it is killed.

import { openWriter } from '../../src/runtime/store/lmdb-store.js'
import { commit, put, session, sessions, tables } from '../contract/store-stage.js'

const [, , path = '', first = '0'] = process.argv
const store = openWriter(path, tables)
let next = Number(first)

async function commitOnAndOn(): Promise<never> {
  for (;;) {
    const number = next++
    const result = await commit(store, [put(sessions, session(`s${number}`, { at: number, tags: ['a tag'] }))])
    process.stdout.write(result.ok ? `acknowledged ${number}\n` : `refused ${JSON.stringify(result)}\n`)
    // The disk is full: room may come back, and there is no need to ask at full speed.
    if (!result.ok) await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

process.on('unhandledRejection', (error) => process.stdout.write(`unhandled ${String(error)}\n`))
for (let i = 0; i < 8; i++) void commitOnAndOn()
