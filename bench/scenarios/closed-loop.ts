// The measured closed loop that several scenarios share: warm up, then a window between two marks.

import { setTimeout as delay } from 'node:timers/promises'
import type { Generator } from '../generator/generator.js'
import type { Conversation } from '../generator/protocol.js'
import { type Bench, demandClean, type StartedServer, type Stretch, stretch } from '../scenario.js'

/** Connects and boots charge points `from` to `from + count`. */
export async function connectAll(
  bench: Bench,
  generator: Generator,
  server: StartedServer,
  from: number,
  count: number,
): Promise<void> {
  await bench.step(`connecting ${count} charge points`, count, async (progress) => {
    const request = {
      type: 'connect',
      url: server.process.ocppUrl,
      prefix: server.prefix,
      from,
      count,
      inFlight: 200,
    } as const
    demandClean(await generator.ask(request, progress), 'connecting')
  })
}

export async function measureConversation(
  bench: Bench,
  generator: Generator,
  server: StartedServer,
  options: { readonly conversation: Conversation; readonly active: number; readonly seconds: number },
): Promise<Stretch> {
  const { conversation, active, seconds } = options
  return bench.step(`${conversation} on ${active} connections`, seconds, async (progress) => {
    await generator.ask({ type: 'talk', conversation, active })
    await delay(Math.max(1_000, seconds * 300))
    await generator.ask({ type: 'mark' })
    const before = server.process.usage()
    for (let second = 1; second <= seconds; second++) {
      await delay(1_000)
      progress(second)
    }
    const after = server.process.usage()
    const report = await generator.ask({ type: 'mark' })
    await generator.ask({ type: 'quiet' })
    demandClean(report, conversation)
    return stretch(report, before, after)
  })
}
