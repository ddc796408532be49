// Swagger UI over one area of this installation's document: it prepares all that it is given for each operation that is opened, which takes many
// seconds for a document of this size.

const areas = document.getElementById('area')
const named = () => decodeURIComponent(location.hash.split('/')[1] ?? '')

/** What a part of the document refers to, and what that does, is added to found. */
function refersTo(part, whole, found) {
  if (typeof part !== 'object' || part === null) return
  for (const [key, value] of Object.entries(part)) {
    if (key !== '$ref') refersTo(value, whole, found)
    else if (!found.has(value)) {
      const [kind, name] = value.replace('#/components/', '').split('/')
      found.set(value, { kind, name })
      refersTo(whole.components[kind][name], whole, found)
    }
  }
}

function ofArea(whole, area) {
  const paths = {}
  for (const [path, methods] of Object.entries(whole.paths)) {
    const inArea = Object.entries(methods).filter(([, { tags }]) => tags?.includes(area))
    if (inArea.length > 0) paths[path] = Object.fromEntries(inArea)
  }
  const found = new Map()
  refersTo(paths, whole, found)
  const components = { securitySchemes: whole.components.securitySchemes }
  for (const { kind, name } of found.values()) {
    components[kind] ??= {}
    components[kind][name] = whole.components[kind][name]
  }
  const { openapi, servers } = whole
  // Its introduction is in the reference.
  const { title, version } = whole.info
  const info = { title, version }
  return { openapi, info, servers, tags: whole.tags.filter(({ name }) => name === area), paths, components }
}

function show(whole) {
  const area = whole.tags.some(({ name }) => name === named()) ? named() : whole.tags[0].name
  areas.value = area
  SwaggerUIBundle({
    spec: ofArea(whole, area),
    dom_id: '#swagger-ui',
    deepLinking: true,
    docExpansion: location.hash === '' || location.hash.split('/').length < 3 ? 'list' : 'none',
    tryItOutEnabled: true,
  })
}

fetch('/api/v1/openapi.json')
  .then((answer) => answer.json())
  .then((whole) => {
    areas.replaceChildren(...whole.tags.map(({ name }) => new Option(name)))
    areas.addEventListener('change', () => {
      location.hash = `/${encodeURIComponent(areas.value)}`
      location.reload()
    })
    show(whole)
  })
