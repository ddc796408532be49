// `npm run docs`: brings the README's configuration table up to date with the settings' schema.

import { readFileSync, writeFileSync } from 'node:fs'
import { withConfigurationTable } from './configuration-table.js'

writeFileSync('README.md', withConfigurationTable(readFileSync('README.md', 'utf8')))
