// Templates in files of the data directory: a file that cannot be used is named with what is wrong, and the others are used.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { test } from 'tap'
import { commissioningTemplateFolder, readCommissioningTemplates } from '../../src/process/commissioning-templates.js'
import { readTemplateFiles, templateFolder } from '../../src/process/configuration-templates.js'

test('template files - each is known by the name of its file, and one that is wrong is named with its faults', (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'ampshard-test-'))
  t.teardown(() => rmSync(directory, { recursive: true }))
  const write = (folder: string, files: Readonly<Record<string, object>>) => {
    mkdirSync(join(directory, folder))
    for (const [name, content] of Object.entries(files))
      writeFileSync(join(directory, folder, name), JSON.stringify(content))
  }
  const lines: string[] = []
  const log = {
    warn({ file, reason }: { readonly file: string; readonly reason: string }) {
      lines.push(`${basename(file)}: ${reason}`)
    },
  } as unknown as Parameters<typeof readTemplateFiles>[1]
  const steps = ['test_transaction', 'heartbeat', 'connectivity']
  write(commissioningTemplateFolder, {
    'wall-box.json': { name: 'Wall boxes', compatible_models: ['Wall Box*'], steps },
    'two words.json': { name: 'Wall boxes', steps },
    'wrong.json': { name: '', steps: ['lunch'] },
  })
  t.same(readCommissioningTemplates(directory, log), [
    {
      template_id: 'wall-box',
      name: 'Wall boxes',
      description: '',
      compatible_models: ['Wall Box*'],
      steps: ['connectivity', 'heartbeat', 'test_transaction'],
    },
  ])
  t.match(lines.splice(0), [/^two words.json: the name of the file/, /^wrong.json: name .*; steps\/0 /])
  write(templateFolder, {
    'short.json': { name: 'Short', model: 'Wall Box*', parameters: { HeartbeatInterval: 60 } },
    'empty.json': { name: 'Empty', parameters: {} },
    'list.json': [],
  })
  t.match(readTemplateFiles(directory, log), [
    { template_id: 'short', source: 'file', model: 'Wall Box*', parameters: { HeartbeatInterval: 60 } },
  ])
  t.match(lines, [/^empty.json: parameters must have at least one key/, /^list.json: the file must be an object/])
  t.end()
})
