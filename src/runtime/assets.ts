// Where the build puts what the program reads while it runs and what is not code: fonts, pages, builds of uWebSockets.js
// (tools/copied-files.ts).

import { fileURLToPath } from 'node:url'

/** The path of a file or folder of dist/assets. */
export function assetPath(name: string): string {
  return fileURLToPath(new URL(`../../assets/${name}`, import.meta.url))
}
