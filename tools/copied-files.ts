// What the program reads while it runs and what is no code of ours: which files of which packages. The build copies them to dist/assets,
// so that the packages, which are many times as large, are needed for development only.

import { buildPackages } from '../src/runtime/thread/uwebsockets-builds.js'

export interface CopiedFiles {
  /** As in package.json. */
  readonly package: string
  /** Paths in the package. */
  readonly files: RegExp
  /** Folder in dist/assets; the files are there by their own names. */
  readonly to: string
}

const scripts = [
  'emoji',
  'sans-arabic',
  'sans-armenian',
  'sans-bengali',
  'sans-georgian',
  'sans-hebrew',
  'sans-jp',
  'sans-kr',
  'sans-sc',
  'sans-tamil',
  'sans-tc',
  'sans-thai',
]

/** `system` is the platform and the architecture of the machine that runs the program: `linux_x64`. */
export function copiedFiles(system: string): readonly CopiedFiles[] {
  return [
    ...buildPackages.map(({ name, folder, sha256 }) => ({
      package: name,
      files: new RegExp(
        `^${folder}(?:${Object.keys(sha256)
          .filter((build) => build.startsWith(`uws_${system}_`))
          .join('|')})\\.node$`,
      ),
      to: 'uwebsockets',
    })),
    {
      package: '@fontsource/noto-sans',
      files: /^unicode\.json$|^files\/.*-(?:400|600)-normal\.woff$/,
      to: 'fonts/noto-sans',
    },
    ...scripts.map((script) => ({
      package: `@fontsource-variable/noto-${script}`,
      files: /^unicode\.json$|^files\/.*-wght-normal\.woff2$/,
      to: `fonts/noto-${script}`,
    })),
    {
      package: 'swagger-ui-dist',
      files: /^(?:swagger-ui\.css|swagger-ui-bundle\.js|favicon-32x32\.png)$/,
      to: 'docs',
    },
    { package: 'uplot', files: /^dist\/(?:uPlot\.iife\.min\.js|uPlot\.min\.css)$/, to: 'load-report' },
  ]
}
