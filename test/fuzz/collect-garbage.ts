// Loaded into every thread of a service whose memory is looked at: with SIGUSR2 all of them collect their garbage, so that what is
// left is what they hold on to, however little they have to do.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { BroadcastChannel, isMainThread } from 'node:worker_threads'

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as () => void
const channel = new BroadcastChannel('collect garbage')
channel.onmessage = () => collect()
channel.unref()

if (isMainThread)
  process.on('SIGUSR2', () => {
    channel.postMessage('')
    collect()
  })
