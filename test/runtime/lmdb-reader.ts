// A process that holds one snapshot of a store until it is killed, as an interrupted backup does.
// `node lmdb-reader.js <directory>`; it says when it reads.

import { open } from 'lmdb'

const root = open({ path: process.argv[2] as string, noSubdir: false, readOnly: true, keyEncoding: 'binary' } as object)
root.useReadTransaction()
process.stdout.write('reading\n')
setInterval(() => {}, 1_000)
