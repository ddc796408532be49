// `npm run docs`: brings the tables that programs know better than people up to date.

import { readFileSync, writeFileSync } from 'node:fs'
import { writtenTables } from './written-tables.js'

for (const { file, write } of writtenTables('.')) writeFileSync(file, write(readFileSync(file, 'utf8')))
