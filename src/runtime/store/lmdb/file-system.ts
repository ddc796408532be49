// Where a store must not live: a memory map over a network gives neither locks nor durability.

// The magic numbers of statfs(2).
const networkFileSystems = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0xfe534d42, 'SMB2'],
  [0x5346414f, 'AFS'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
])

/** Throws one clear line when `type`, of statfs(2), is a network file system. */
export function refuseNetworkFileSystem(path: string, type: number): void {
  // Some kernels report the number with its sign.
  const name = networkFileSystems.get(type >>> 0)
  if (name === undefined) return
  throw new Error(`the store cannot be at ${path}: it is on ${name}, and a store needs a local disk`)
}
