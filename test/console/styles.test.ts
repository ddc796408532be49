// What pages of the console must not have in common. The styles of all pages that were opened hold at once, so each page's are under names that no other
// page has; and a key leads to one page.

import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'tap'

const root = 'src/console'

interface Source {
  readonly path: string
  readonly text: string
}

function sourcesOf(ending: RegExp): readonly Source[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => ({ path: join(root, name), text: readFileSync(join(root, name), 'utf8') }))
}

/** What its selectors begin with, where that is a class and not an element of it: `.ladder li` is about `ladder`, `table.plain` is about tables. */
function subjectsOf(styles: string): ReadonlySet<string> {
  const selectors = [...styles.replaceAll(/\/\*[\s\S]*?\*\//g, '').matchAll(/([^{}]+)\{/g)].flatMap(([, list = '']) =>
    list.split(',').map((one) => one.trim()),
  )
  return new Set(selectors.flatMap((selector) => /^\.([\w-]+)/.exec(selector)?.[1] ?? []))
}

/** All words in the values of `class`, and in what they are put together from. */
function classesIn({ text }: Source): ReadonlySet<string> {
  const values = [...text.matchAll(/\bclass(?:es)?(?:=| =) ?(?:"([^"]*)"|\{([^}]*)\}|\[([^\]]*)\])/g)]
  return new Set(values.flatMap(([, ...given]) => given.join(' ').match(/[a-z][\w-]*/gi) ?? []))
}

test('styles - what the styles of a page are about is on no other page, unless it takes them in', (t) => {
  const components = sourcesOf(/\.tsx$/)
  const pages = sourcesOf(/\.css$/).filter(({ path }) => path.startsWith(`${root}/pages/`))
  t.ok(pages.length > 5)
  for (const { path, text } of pages) {
    const name = path.split('/').at(-1) as string
    const others = components.filter((one) => dirname(one.path) !== dirname(path) && !one.text.includes(`/${name}'`))
    for (const subject of subjectsOf(text)) {
      const elsewhere = others.filter((one) => classesIn(one).has(subject)).map((one) => one.path)
      t.same(elsewhere, [], `.${subject} of ${path}`)
    }
  }
  t.end()
})

test('keys - no two pages are gone to with one key', async (t) => {
  const taken = new Map<string, string>()
  for (const { path, text } of sourcesOf(/(?:^|\/)page\.ts$/)) {
    const key = /^ {2}key: '(.)',$/m.exec(text)?.[1]
    if (key === undefined) continue
    t.equal(taken.get(key), undefined, `g ${key} leads to ${path}`)
    taken.set(key, path)
  }
  t.ok(taken.size > 4)
})
