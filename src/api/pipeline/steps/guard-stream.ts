// A body that cannot go on ends: whatever is wrong with what it reads, the thread and its other sockets live on.

import type { BodyStream, StreamReader } from '../message.js'

const over: StreamReader = { read: () => null, close() {} }

export function guardStream({ filler, open }: BodyStream, failed: (error: unknown) => void): BodyStream {
  return {
    filler,
    open(wake) {
      try {
        const { read, close } = open(wake)
        return { read: () => readOr(read, failed), close }
      } catch (error) {
        failed(error)
        return over
      }
    },
  }
}

function readOr(read: StreamReader['read'], failed: (error: unknown) => void): ReturnType<StreamReader['read']> {
  try {
    return read()
  } catch (error) {
    failed(error)
    return null
  }
}
