// The ids of the commands of a request under an Idempotency-Key: the same for each repeat, so that what became of them can be found.

import { createHash } from 'node:crypto'
import { TIME_LEN } from 'ulid'

const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const hashedDigits = 12
const countedDigits = 4

/** `workId` is an id made when the request came first: these have its time, and sort as they are asked for. */
export function claimedIds(workId: string): (prefix: string) => string {
  const time = workId.slice(workId.indexOf('_') + 1).slice(0, TIME_LEN)
  const hash = createHash('sha256').update(workId).digest().subarray(0, hashedDigits)
  const hashed = [...hash].map((byte) => digits[byte % digits.length]).join('')
  let count = 0
  return (prefix) => `${prefix}_${time}${hashed}${counted(count++)}`
}

function counted(count: number): string {
  let text = ''
  for (let left = count; text.length < countedDigits; left = Math.floor(left / digits.length))
    text = `${digits[left % digits.length]}${text}`
  return text
}
