// Where the build puts what the program reads while it runs and what is not code: fonts, pages, builds of uWebSockets.js
// (tools/copied-files.ts).

import { fileURLToPath } from 'node:url'

/** The path of a file or folder of dist/assets. */
export function assetPath(name: string): string {
  // From the root of the package: the program is built into other folders than its sources have.
  return fileURLToPath(new URL(`dist/assets/${name}`, import.meta.resolve('#package.json')))
}
