// `npm run docs`: writes the tables that programs derive from the sources, and lowers the counts of the ratchets.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type Counts, countOffences, countsFile, countsText, lowered } from './ratchets/counts.js'
import { measureProject } from './ratchets/index.js'
import { writtenTables } from './written-tables.js'

for (const { file, write } of writtenTables('.')) writeFileSync(file, write(readFileSync(file, 'utf8')))

const allowed = existsSync(countsFile) ? (JSON.parse(readFileSync(countsFile, 'utf8')) as Counts) : {}
writeFileSync(countsFile, countsText(lowered(allowed, countOffences(measureProject('.')))))
