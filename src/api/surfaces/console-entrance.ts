// Where people sign in to the console: nobody is asked who they are yet.

import { forbidden } from '../pipeline/errors.js'
import { isOfOwnPage, mayBeOfOwnPage } from '../pipeline/session-cookie.js'
import { defineSurface, type Requirement } from '../pipeline/surface.js'
import { numberedPages } from './numbered-pages.js'
import { problem } from './problem.js'

export const consoleEntrance = defineSurface({
  root: '/api/v1/console/',
  shedFrom: { list: 2, command: 3, never: Number.POSITIVE_INFINITY },
  envelope: problem,
  pages: numberedPages,
})

/** Otherwise a page of somebody else could sign people in as whom it likes. */
export const fromOwnPage: Requirement<undefined> = {
  error: forbidden,
  message: 'only the console itself can sign people in; other programs send an API key with each request',
  isMet: (_principal, _view, { consoleInsecure }, { request }) =>
    consoleInsecure === true ? mayBeOfOwnPage(request) : isOfOwnPage(request),
}
