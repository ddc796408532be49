// The program is built into few files: stacks in the log name the files of the sources instead. Maps are read when an error is
// logged, and not at the start, where they would cost a fifth of its time and of the memory.

import { readFileSync } from 'node:fs'
import { SourceMap, type SourceMapPayload } from 'node:module'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'

const position = /(file:\/\/[^\s():]+\.c?js):(\d+):(\d+)/g
const maps = new Map<string, SourceMap | undefined>()

/** Undefined for a file without a map. */
function mapOf(url: string): SourceMap | undefined {
  if (maps.has(url)) return maps.get(url)
  let map: SourceMap | undefined
  try {
    const json = gunzipSync(readFileSync(fileURLToPath(`${url}.map.gz`))).toString()
    map = new SourceMap(JSON.parse(json) as SourceMapPayload)
  } catch {
    map = undefined
  }
  maps.set(url, map)
  return map
}

/** A stack whose positions are those of the sources, as far as they are known. */
export function inSources(stack: string): string {
  return stack.replace(position, (found, url: string, line: string, column: string) => {
    const entry = mapOf(url)?.findEntry(Number(line) - 1, Number(column) - 1)
    if (entry === undefined || !('originalSource' in entry)) return found
    const source = entry.originalSource.replace(/^(\.\.\/)+/, '')
    return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  })
}
