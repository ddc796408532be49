// A program that calls one URL as a laboratory would, and prints the outcome: for what is read once when a process starts.

import { createOutboundClient } from '../../../src/jobs/outbound/client.js'
import { systemResolve } from '../../../src/jobs/outbound/resolver.js'
import { systemClock } from '../../../src/runtime/clock.js'
import { post } from './canary.js'

const client = createOutboundClient({
  allowInsecure: true,
  resolve: systemResolve,
  clock: systemClock,
  userAgent: 'ampshard/test',
})
console.log(JSON.stringify(await client.request(post(process.argv[2] ?? ''))))
await client.close()
