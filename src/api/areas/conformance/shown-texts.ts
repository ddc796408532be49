// What a caller is shown of texts that a charge point has chosen itself. Frames say who charges, so those who may not read messages are shown none, nor
// anything of one that OCPP 1.6 has no name for: a charge point that is broken, or that means harm, may put the number of a card in any place.

import { answerFieldNames, fieldNamesOf, messages } from '../../../ocpp16/index.js'
import type { DeviationExample, DeviationKind } from '../../../records/deviation.js'
import { grants, type Principal } from '../../surfaces/principal.js'

export interface ShownTexts {
  readonly action: string | null
  readonly path: string | null
}

export interface ShownExample {
  readonly message_id: string | null
  readonly received: string | number | boolean | null
  readonly frame: string | null
}

export interface Showing {
  /** '' is what a frame does not name. */
  texts(of: Pick<DeviationKind, 'action' | 'path'>): ShownTexts
  example(of: Omit<DeviationExample, 'at'>): ShownExample
}

/** For one answer: in it, what has no name is told apart by a number. */
export function showingTo({ scopes }: Pick<Principal, 'scopes'>): Showing {
  if (grants(scopes, 'read:messages'))
    return {
      texts: ({ action, path }) => ({ action: action || null, path: path || null }),
      example: ({ message_id = null, received = null, frame }) => ({ message_id, received, frame }),
    }
  const numbered = (what: string) => {
    const numbers = new Map<string, number>()
    return (text: string): string => {
      const number = numbers.get(text) ?? numbers.size + 1
      numbers.set(text, number)
      return `(${what} ${number})`
    }
  }
  const [nameOf, unknownAction] = [numbered('name'), numbered('action')]
  return {
    texts({ action, path }) {
      const names = action === '' ? answerFieldNames : fieldNamesOf(action)
      const [, ...parts] = path.split('/')
      const shown = parts.map((part) => (names.has(part) || element.test(part) ? part : nameOf(part)))
      return {
        action: action === '' || messages.has(action) ? action || null : unknownAction(action),
        path: path === '' ? null : `/${shown.join('/')}`,
      }
    },
    example: () => ({ message_id: null, received: null, frame: null }),
  }
}

/** What stands in a path for an element of an array: `*` for any of them, or its number. */
const element = /^(?:\*|\d{1,3})$/
