// The id of a request: the caller's own when it is sane, so that both sides' logs speak of one thing.

import type { RequestHead } from '../message.js'
import type { Services } from '../services.js'

const sane = /^[A-Za-z0-9._:/+=-]{1,128}$/

export function identify(request: RequestHead, services: Pick<Services, 'newId'>): string {
  const given = request.headers['x-request-id']
  return given !== undefined && sane.test(given) ? given : services.newId('request')
}
