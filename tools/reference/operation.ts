// One operation of the reference: what it does, what it takes and returns, and a request that can be pasted into a terminal.

import {
  type Content,
  type Operation,
  type Parameter,
  type Place,
  type Reference,
  type Response,
  resolved,
} from './document.js'
import { aboutOf, fieldsOf, typeOf } from './fields.js'
import { block, escaped, inline, json } from './html.js'

export const methodBadge = (method: string): string =>
  `<span class="method ${method.toLowerCase()}">${method === 'DELETE' ? 'DEL' : method}</span>`

const json5 = 'application/json'

/** The first example of a body. */
function exampleIn(document: Reference, content: Readonly<Record<string, Content>> | undefined): unknown {
  const [first] = Object.values(content?.[json5]?.examples ?? {})
  return first === undefined ? undefined : resolved(document, first).value
}

/** What stands in a path or a query in the place of a parameter. */
function sampleOf(example: unknown, { name }: Parameter): string {
  const known = (example as Readonly<Record<string, unknown>> | undefined)?.[name]
  if (typeof known === 'string' || typeof known === 'number') return String(known)
  return `{${name}}`
}

const credentials: Readonly<Record<string, string>> = {
  bearer: '"Authorization: Bearer $AMPSHARD_API_KEY"',
  installerToken: '"Authorization: Bearer $ACCESS_TOKEN"',
  ocpiToken: '"Authorization: Token $(printf %s "$TOKEN" | base64)"',
}

function curlOf(document: Reference, { method, path, operation }: Place, parameters: readonly Parameter[]): string {
  const [answer] = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => exampleIn(document, resolved(document, response).content))
  const filled = parameters
    .filter((parameter) => parameter.in === 'path')
    .reduce((text, parameter) => text.replace(`{${parameter.name}}`, sampleOf(answer, parameter)), path)
  const query = parameters
    .filter((parameter) => parameter.in === 'query' && parameter.required)
    .map((parameter) => `${parameter.name}=${sampleOf(answer, parameter)}`)
  const address = `$URL${filled}${query.length > 0 ? `?${query.join('&')}` : ''}`
  const [scheme] = operation.security.flatMap((one) => Object.keys(one))
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}"${address}"`]
  const credential = credentials[scheme ?? '']
  if (credential !== undefined) lines.push(`-H ${credential}`)
  const body = exampleIn(document, operation.requestBody?.content)
  if (body !== undefined) {
    lines.push('-H "Content-Type: application/json"')
    lines.push(`-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`)
  }
  return lines.join(' \\\n  ')
}

function parametersTable(title: string, parameters: readonly Parameter[]): string {
  if (parameters.length === 0) return ''
  const fields = parameters.map(
    ({ name, schema, required, description }) =>
      `<li><p class="field"><b>${escaped(name)}</b> <span class="type">${typeOf(schema)}</span>${required ? ' <span class="required">required</span>' : ''}</p>${aboutOf(schema, description)}</li>`,
  )
  return `<h4>${title}</h4><ul class="fields">${fields.join('')}</ul>`
}

function examplesOf(document: Reference, content: Readonly<Record<string, Content>> | undefined): string {
  const named = Object.entries(content?.[json5]?.examples ?? {}).map(([name, example]) => ({
    name: resolved(document, example).summary ?? name.replaceAll('_', ' '),
    value: resolved(document, example).value,
  }))
  if (named.length === 0) return ''
  const [first, ...others] = named as [{ name: string; value: unknown }, ...{ name: string; value: unknown }[]]
  const more = others.map(({ name, value }) => `<details><summary>${escaped(name)}</summary>${json(value)}</details>`)
  return json(first.value) + more.join('')
}

function success(document: Reference, status: string, response: Response): string {
  const content = response.content
  if (content === undefined) return `<h4>Answer ${status}</h4><p>Without a body.</p>`
  const body = content[json5]
  if (body === undefined)
    return `<h4>Answer ${status}</h4><p>${Object.keys(content)
      .map((type) => `<code>${escaped(type)}</code>`)
      .join(', ')}</p>`
  return `<h4>Answer ${status}</h4>${fieldsOf(document, body.schema)}`
}

/** Each code once, with what it means. */
function errors(document: Reference, operation: Operation): string {
  const rows = Object.entries(operation.responses)
    .filter(([status]) => /^[345]/.test(status))
    .flatMap(([status, part]) => {
      const { description, content } = resolved(document, part)
      const examples = Object.values(content?.[json5]?.examples ?? {}).map((example) => resolved(document, example))
      const meanings = new Map(examples.map(({ summary, value }) => [codeIn(value), summary ?? '']))
      return description
        .replaceAll('`', '')
        .split(', ')
        .map(
          (code) =>
            `<tr><td>${status}</td><td><code>${escaped(code)}</code></td><td>${inline(meanings.get(code) ?? '')}</td></tr>`,
        )
    })
  if (rows.length === 0) return ''
  return `<details class="errors"><summary>Errors (${rows.length})</summary><div class="table"><table><thead><tr><th>Status</th><th>Code</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div></details>`
}

function codeIn(value: unknown): string {
  const { error } = (value ?? {}) as { readonly error?: string | { readonly code?: string } }
  return typeof error === 'string' ? error : (error?.code ?? '')
}

export function operationSection(document: Reference, place: Place): string {
  const { method, path, operation } = place
  const parameters = (operation.parameters ?? []).map((parameter) => resolved(document, parameter))
  const of = (kind: Parameter['in']): readonly Parameter[] => parameters.filter((parameter) => parameter.in === kind)
  const answers = Object.entries(operation.responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([status, response]) => [status, resolved(document, response)] as const)
  const body = operation.requestBody
  // What every operation takes is explained once, at the start.
  const headers = of('header').filter(({ name }) => name !== 'Prefer' && name !== 'Idempotency-Key')
  const shown = answers.map(([status, response]) => {
    const example = examplesOf(document, response.content)
    return example === '' ? '' : `<h4>Answer ${status}</h4>${example}`
  })
  return `<section class="operation" id="${operation.operationId}" aria-labelledby="${operation.operationId}-title">
<div class="says">
<h3 id="${operation.operationId}-title"><a href="#${operation.operationId}">${escaped(operation.summary)}</a></h3>
<p class="path">${methodBadge(method)} <code>${escaped(path).replaceAll('/', '/<wbr>')}</code></p>
${block(operation.description)}
${parametersTable('Path', of('path'))}
${parametersTable('Query', of('query'))}
${parametersTable('Headers', headers)}
${body === undefined ? '' : `<h4>Body${body.required ? '' : ' (may be left out)'}</h4>${fieldsOf(document, (body.content[json5] as Content).schema)}`}
${answers.map(([status, response]) => success(document, status, response)).join('')}
${errors(document, operation)}
</div>
<div class="shows">
<h4>Request</h4>
<pre tabindex="0"><code>${escaped(curlOf(document, place, parameters))}</code></pre>
${shown.join('')}
<p><a href="/docs/try#/${encodeURIComponent(operation.tags[0] as string)}/${operation.operationId}">Try it out</a></p>
</div>
</section>`
}
