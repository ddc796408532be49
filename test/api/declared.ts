// That what the API answers in a test is what its route declares, errors too.

import { Ajv } from 'ajv'
import { apiRoutes } from '../../src/api/areas/index.js'
import { errorsOf, formsOf } from '../../src/api/openapi/errors.js'
import { methodNotAllowed, upgradeRequired } from '../../src/api/pipeline/errors.js'
import type { BodyStream } from '../../src/api/pipeline/message.js'
import { isMediaTypes, type Route } from '../../src/api/pipeline/route.js'
import { createMatcher } from '../../src/api/pipeline/steps/match-route.js'
import type { ErrorForm } from '../../src/api/pipeline/surface.js'
import { anyone } from '../../src/api/surfaces/anyone.js'
import { type ErrorCode, type ErrorKind, errorKinds, notFound } from '../../src/runtime/errors.js'

export const routes = apiRoutes()

export interface Answered {
  readonly status: number
  readonly headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies of any shape
  readonly body: any
  readonly stream?: BodyStream
}

const validator = new Ajv({ strict: false, validateSchema: false, allErrors: true })
for (const format of ['uri', 'email']) validator.addFormat(format, true)
// Whatever offset a time came with, it leaves in UTC with milliseconds.
validator.addFormat('date-time', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)

const declared = createMatcher<Route>(
  routes.map((route) => ({ method: route.method, path: route.path, target: route })),
)

/** Throws where an answer is not as its route declares it: its body, or its error's code, status and form. */
export function checkAgainstSchema(method: string, path: string, answered: Answered): void {
  if (method === 'OPTIONS') return
  const target = routeAt(method === 'HEAD' ? 'GET' : method, path)
  const schema = target?.responses[answered.status]
  if (schema === undefined) {
    checkError(target, answered)
    return
  }
  if (schema === null) return
  if (isMediaTypes(schema)) {
    const type = answered.headers['Content-Type'] ?? 'none'
    if (![schema].flat().includes(type)) throw new Error(`${target?.operationId} answered the media type ${type}`)
    return
  }
  const validate = validator.compile(target?.surface.envelope.success?.schema(schema) ?? schema)
  if (!validate(answered.body))
    throw new Error(
      `${target?.operationId} answered ${JSON.stringify(answered.body)}: ${validator.errorsText(validate.errors)}`,
    )
}

const errorValidators = new Map<ErrorForm, (body: unknown) => boolean>()

function isOf(form: ErrorForm, body: unknown): boolean {
  const validate = errorValidators.get(form) ?? validator.compile(form.schema(errorKinds()))
  errorValidators.set(form, validate)
  return validate(body)
}

/** What is answered where no route is. */
const errorsOfNoRoute: readonly ErrorKind[] = [notFound, methodNotAllowed, upgradeRequired]

/** Throws unless the route declares the code, and the answer has its status and one of its forms. */
function checkError(route: Route | undefined, { status, body }: Answered): void {
  const code: ErrorCode = body.error?.code ?? body.error
  const operation = route?.operationId ?? 'no route'
  const { statusOf = ({ status }: ErrorKind) => status, success } = (route?.surface ?? anyone).envelope
  const declaredKinds = route === undefined ? errorsOfNoRoute : errorsOf(route)
  // In an envelope that has a success, too, errors have no code of ours.
  const kind = declaredKinds.find((one) => (success === undefined ? one.code === code : statusOf(one) === status))
  if (kind === undefined || statusOf(kind) !== status)
    throw new Error(`${operation} does not declare ${status} ${code}: ${JSON.stringify(body)}`)
  const forms = route === undefined ? anyone.envelope.errorForms : formsOf(kind, route)
  if (!forms.some((form) => isOf(form, body)))
    throw new Error(
      `${operation} answered ${JSON.stringify(body)}, of none of the forms ${forms.map(({ name }) => name)}`,
    )
}

function routeAt(method: string, path: string): Route | undefined {
  try {
    return declared.match(method, path).target
  } catch {
    return undefined
  }
}
