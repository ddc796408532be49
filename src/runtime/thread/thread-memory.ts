// How much memory this thread's own heap holds, in bytes. Resident memory is the process's and is read from outside.

import { getHeapStatistics } from 'node:v8'

export interface ThreadMemory {
  readonly heapUsedBytes: number
  readonly heapTotalBytes: number
  readonly externalBytes: number
}

export function threadMemory(): ThreadMemory {
  const {
    used_heap_size: heapUsedBytes,
    total_heap_size: heapTotalBytes,
    external_memory: externalBytes,
  } = getHeapStatistics()
  return { heapUsedBytes, heapTotalBytes, externalBytes }
}
