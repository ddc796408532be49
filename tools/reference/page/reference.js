// The search of the reference, and buttons that copy examples. Pages are whole without it.

const field = document.getElementById('search')
const list = document.getElementById('hits')
const shownHits = 12

let index
let hits = []
let chosen = 0

/** `unlock_connector`, `UnlockConnector` and `unlock connector` are the same. */
const joined = (text) => text.toLowerCase().replace(/[^\p{Letter}\d]+/gu, '')
/** Of a shorter one, the end of a word and the beginning of the next would be it. */
const joinedFrom = 6

/** Fetched when somebody is about to search. */
function load() {
  index ??= fetch('/docs/api/search.json')
    .then((answer) => answer.json())
    .then((entries) =>
      entries.map((entry) => {
        const text = `${entry.t} ${entry.p ?? ''} ${entry.k}`.toLowerCase()
        return { ...entry, text, joined: joined(`${text} ${entry.w ?? ''}`) }
      }),
    )
    .catch(() => {
      index = undefined
      return []
    })
  return index
}

/** More is better; 0 where a word is missing. */
function scoreOf({ t, text, w = '', c = '', joined: all }, words) {
  const title = t.toLowerCase()
  let score = 0
  for (const word of words) {
    const isShown = text.includes(word)
    const isThere = isShown || w.includes(word) || (word.length >= joinedFrom && all.includes(joined(word)))
    if (!isThere) return 0
    if (title === word) score += 8
    else if (title.startsWith(word)) score += 5
    else if (title.includes(` ${word}`)) score += 4
    else if (title.includes(word)) score += 3
    else if (isShown) score += 1
    else score += ` ${w} `.includes(` ${word} `) ? 0.6 : 0.3
  }
  const named = joined(words.join(''))
  for (const name of c.split(' ')) {
    if (joined(name) === named) score += 12
    else if (joined(name).startsWith(named)) score += 6
  }
  return score + 1 / (1 + t.length)
}

async function search() {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean)
  const entries = await load()
  hits = words.length === 0 ? [] : entries.map((entry) => ({ entry, score: scoreOf(entry, words) }))
  hits = hits.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score)
  hits = hits.slice(0, shownHits).map(({ entry }) => entry)
  chosen = 0
  show(words.length > 0)
}

function show(isAsked) {
  const lines = hits.map((hit, at) => {
    const link = document.createElement('a')
    link.href = hit.u
    const kind = document.createElement('span')
    kind.className = `method ${hit.k.toLowerCase()}`
    kind.textContent = hit.k
    link.append(kind, ` ${hit.t}`)
    if (hit.p !== undefined) {
      const more = document.createElement('small')
      more.textContent = hit.p
      link.append(more)
    }
    const line = document.createElement('li')
    if (at === chosen) line.className = 'chosen'
    line.append(link)
    return line
  })
  if (lines.length === 0) {
    const line = document.createElement('li')
    line.textContent = 'Nothing has all of these words.'
    lines.push(line)
  }
  list.replaceChildren(...lines)
  list.hidden = !isAsked
}

function close() {
  list.hidden = true
}

field.disabled = false
field.addEventListener('focus', load)
field.addEventListener('input', search)
field.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') chosen = Math.min(chosen + 1, hits.length - 1)
  else if (event.key === 'ArrowUp') chosen = Math.max(chosen - 1, 0)
  else if (event.key === 'Enter') list.querySelector('.chosen a')?.click()
  else if (event.key === 'Escape') field.blur()
  else return
  event.preventDefault()
  if (event.key === 'Enter' || event.key === 'Escape') close()
  else show(true)
})
list.addEventListener('click', close)
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) close()
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target.closest('input, textarea')) return
  event.preventDefault()
  field.focus()
  field.select()
})

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.textContent)
    button.textContent = 'Copied'
  })
  const frame = document.createElement('div')
  frame.className = 'code'
  block.replaceWith(frame)
  frame.append(block, button)
}

// On a phone, the contents would be longer than the page.
const contents = document.getElementById('contents')
if (matchMedia('(max-width: 60rem)').matches) contents.open = false
document.querySelector('.contents [aria-current]')?.scrollIntoView({ block: 'nearest' })
