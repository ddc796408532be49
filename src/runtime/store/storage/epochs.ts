// The newest epoch of each partition, kept in the store: whether a batch comes from the partition's owner is decided where it is applied.
// All of them are one row of four bytes each, written when an owner changes.

import { type ByteReader, type ByteTransaction, metaDatabase } from './byte-store.js'
import { encodeKey } from './key-bytes.js'

export interface Epochs {
  /** The newest epoch that is known of the partition; 0 before the first. */
  newest(partition: number): number
  /** An epoch is never lowered. */
  raise(partition: number, epoch: number): void
  /** Writes what has been raised, and returns what is stored from then on. */
  write(transaction: ByteTransaction): Buffer
}

const epochsKey = encodeKey(['epochs'])
const bytesPerEpoch = 4

function epochAt(epochs: Buffer, partition: number): number {
  const at = partition * bytesPerEpoch
  return at < epochs.length ? epochs.readUInt32BE(at) : 0
}

export function storedEpochs(reader: ByteReader): Buffer {
  return Buffer.from(reader.get(metaDatabase, epochsKey) ?? [])
}

/** By partition, of all that ever had an owner. */
export function epochsOf(stored: Buffer): number[] {
  return Array.from({ length: stored.length / bytesPerEpoch }, (_, partition) => epochAt(stored, partition))
}

/** `stored` stays as it is. */
export function epochsAfter(stored: Buffer): Epochs {
  let raised: Buffer | undefined
  return {
    newest: (partition) => epochAt(raised ?? stored, partition),
    raise(partition, epoch) {
      const known = raised ?? stored
      if (epoch <= epochAt(known, partition)) return
      const end = (partition + 1) * bytesPerEpoch
      if (raised === undefined || raised.length < end) {
        raised = Buffer.alloc(Math.max(known.length, end))
        known.copy(raised)
      }
      raised.writeUInt32BE(epoch, partition * bytesPerEpoch)
    },
    write(transaction) {
      if (raised !== undefined) transaction.put(metaDatabase, epochsKey, raised)
      return raised ?? stored
    },
  }
}
