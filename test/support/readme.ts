// The lines of the README that a reader pastes into a shell.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** The lines of the blocks of shell under a heading. */
export function readmeLines(heading: string): readonly string[] {
  const [, section = ''] = readFileSync(join(root, 'README.md'), 'utf8').split(`\n## ${heading}\n`)
  const [text = ''] = section.split('\n## ')
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) => block.trim().split('\n'))
}

/** The line for the service of a test, with the program that was built already. */
export function lineFor(line: string, { url }: { readonly url: string }): string {
  const program = `'${process.execPath}' '${join(root, 'dist/program/main.js')}'`
  return line
    .replace('http://127.0.0.1:8080', url)
    .replace('npm run simulate --', `${program} simulate --url ${url}`)
    .replace('npm run emsp --', `${program} emsp --url ${url} --port 0`)
}
