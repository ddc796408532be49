// The documents agree with what they describe: settings, files, and commands that a reader can run.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'tap'
import { apiRoutes } from '../../src/api/areas/index.js'
import { variablesOfTools } from '../../src/process/commands.js'
import { settingsSchema } from '../../src/settings.js'
import { writtenTables } from '../../tools/written-tables.js'

const root = fileURLToPath(new URL('../../../', import.meta.url))
const inFolders = ['bench', 'src/docs', 'test'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name)),
)
const documents = [...readdirSync(root), ...inFolders].filter((name) => name.endsWith('.md'))
const read = (name: string): string => readFileSync(join(root, name), 'utf8')

/** GitHub's anchors: lower case, punctuation gone, blanks as hyphens. */
function anchors(text: string): Set<string> {
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map((match) => match[1] as string)
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ),
  )
}

test('documents - tables that programs write are as they would write them', async (t) => {
  for (const { file, write } of writtenTables(root))
    t.equal(write(read(file)), read(file), `${file}: npm run docs brings the table up to date`)
})

test('documents - every link to a file, and to a heading, leads somewhere', async (t) => {
  t.ok(documents.length >= 4, 'the documents are found')
  for (const name of documents) {
    const targets = [...read(name).matchAll(/\]\(([^)\s]+)\)/g)].map((match) => match[1] as string)
    for (const target of targets.filter((one) => !/^[a-z]+:/.test(one))) {
      const [path = '', anchor] = target.split('#')
      const file = path === '' ? join(root, name) : join(root, dirname(name), path)
      t.ok(existsSync(file), `${name}: ${target}`)
      if (anchor !== undefined && existsSync(file)) {
        t.ok(anchors(readFileSync(file, 'utf8')).has(anchor), `${name}: the heading of ${target}`)
      }
    }
  }
})

test('documents - every source file that is named exists', async (t) => {
  for (const name of documents.filter((one) => one !== 'CHANGELOG.md')) {
    const named = [...read(name).matchAll(/`((?:src|test|bench|tools|\.ci)\/[\w./-]+)`/g)].map(
      (match) => match[1] as string,
    )
    for (const path of named) t.ok(existsSync(join(root, path)), `${name}: ${relative(root, join(root, path))}`)
  }
})

test('documents - every npm script that is named exists', async (t) => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> }
  for (const name of documents) {
    for (const [, script] of read(name).matchAll(/npm run ([\w:-]+)/g)) {
      t.ok(script !== undefined && script in scripts, `${name}: npm run ${script}`)
    }
  }
})

test('documents - every setting that is named exists, as a variable and as a flag of the service', async (t) => {
  const settings = Object.keys(settingsSchema.properties)
  const variables = [...settings.map((name) => `AMPSHARD_${name.toUpperCase()}`), ...variablesOfTools]
  const flags = settings.map((name) => `--${name.replaceAll('_', '-')}`)
  const manual = documents.filter((name) => name === 'README.md' || name.startsWith('src/docs/'))
  for (const name of manual) {
    for (const [variable] of read(name).matchAll(/\bAMPSHARD_\w+/g))
      t.ok(variables.includes(variable), `${name}: ${variable}`)
    // What stands behind a command is a flag of that command.
    for (const [, words = ''] of read(name).matchAll(/(?:^|bin\/)(?:ampshard|npm start --)((?: --[^\n]*))$/gm))
      for (const [flag] of words.matchAll(/--[a-z-]+/g))
        t.ok([...flags, '--help', '--version'].includes(flag), `${name}: ${flag}`)
  }
})

test('documents - every address of the API that is named is a route', async (t) => {
  const known = apiRoutes().map(({ path }) => new RegExp(`^${path.replace(/\{[^}]+\}/g, '[^/]+')}$`))
  for (const name of documents) {
    for (const [, path] of read(name).matchAll(/(\/api\/v1\/[\w/{}.-]+)/g)) {
      t.ok(
        known.some((route) => route.test(path as string)),
        `${name}: ${path}`,
      )
    }
  }
})
